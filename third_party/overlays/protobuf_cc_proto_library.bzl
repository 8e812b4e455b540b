"""cc_proto_library where protobuf's own repository has it.

    cc_proto_library(
        name = "sqs_cc_proto",
        deps = [":sqs_proto"],
    )

Bazel 4.2.3 has one built in, which can't be told to start from the precompiled header (precompiled_header.bzl): most of
the time to compile a generated file goes into protobuf's own headers.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("@byoshin//third_party/bazel:precompiled_header.bzl", "precompiled_header_options")

_CompiledInfo = provider("What the aspect makes of one proto_library.", fields = ["cc_info"])

def _generate(ctx, proto):
    """Runs protoc on the library's own files; returns the headers and the sources."""
    if proto.proto_source_root not in [".", ""]:
        fail("%s: import_prefix and strip_import_prefix are not supported in archive mode; name a .proto file by its path from the root of the repository." % ctx.label)
    headers = []
    sources = []
    for file in proto.direct_sources:
        # Declared from the package's folder on, in which the file is.
        stem = file.short_path[:-len(".proto")][len(ctx.label.package):].lstrip("/")
        headers.append(ctx.actions.declare_file(stem + ".pb.h"))
        sources.append(ctx.actions.declare_file(stem + ".pb.cc"))
    arguments = ctx.actions.args()
    arguments.add("--cpp_out=" + ctx.bin_dir.path)
    arguments.add_all(proto.direct_sources)
    ctx.actions.run(
        arguments = [arguments],
        executable = ctx.executable._protoc,
        inputs = proto.transitive_sources,
        mnemonic = "GenProtoCpp",
        outputs = headers + sources,
        progress_message = "Generating C++ for %s" % ctx.label,
    )
    return headers, sources

def _aspect_impl(target, ctx):
    headers, sources = _generate(ctx, target[ProtoInfo])
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    others = [dep[_CompiledInfo].cc_info for dep in ctx.rule.attr.deps] + [ctx.attr._runtime[CcInfo]]
    context, objects = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        cc_toolchain = toolchain,
        compilation_contexts = [info.compilation_context for info in others + [ctx.attr._precompiled[CcInfo]]],
        feature_configuration = features,
        public_hdrs = headers,
        srcs = sources,
        user_compile_flags = precompiled_header_options(ctx.bin_dir.path, "common"),
    )
    linking, _ = cc_common.create_linking_context_from_compilation_outputs(
        name = ctx.label.name,
        actions = ctx.actions,
        cc_toolchain = toolchain,
        compilation_outputs = objects,
        disallow_dynamic_library = True,
        feature_configuration = features,
        linking_contexts = [info.linking_context for info in others],
    )
    return [_CompiledInfo(cc_info = CcInfo(compilation_context = context, linking_context = linking))]

_aspect = aspect(
    implementation = _aspect_impl,
    attr_aspects = ["deps"],
    attrs = {
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_precompiled": attr.label(default = "@precompiled//:common"),
        "_protoc": attr.label(
            # Not "exec", which would build another one for the zips.
            cfg = "host",  # buildifier: disable=attr-cfg
            default = "@protobuf//:protoc",
            executable = True,
        ),
        "_runtime": attr.label(default = "@protobuf//:protobuf"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def _cc_proto_library_impl(ctx):
    return [cc_common.merge_cc_infos(cc_infos = [dep[_CompiledInfo].cc_info for dep in ctx.attr.deps])]

cc_proto_library = rule(
    implementation = _cc_proto_library_impl,
    doc = "C++ for proto_library targets and what they import.",
    attrs = {
        "deps": attr.label_list(
            aspects = [_aspect],
            mandatory = True,
            providers = [ProtoInfo],
        ),
    },
)
