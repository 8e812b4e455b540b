"""A header that the compiler has read once, for all files that include it first.

    precompiled_header(
        name = "common",
        header = "common_includes.h",
        deps = ["@jsoncpp"],
    )

A C++ target that depends on it and is compiled with precompiled_header_options(), starts from the state the compiler
had after reading common_includes.h.

With `--config=separate` (but for what is optimized), when debugging and with another compiler, the included files are
empty and every file is compiled from its own includes, so that those builds find the include that a file forgot and the
precompiled header brought.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def precompiled_header_options(bin_dir, name):
    """What a file is compiled with that starts from the header `name` of @precompiled.

    Args:
      bin_dir: the path of the folder for what is built.
      name: the header's name.

    Returns:
      A list of options. The header comes first: the compiler takes no other for precompiled.
    """
    path = "%s/external/precompiled/%s" % (bin_dir, name)
    return ["-include", path + ".h", "-include", path + "_stamp.h"]

_OPTIONS = [
    "-xc++-header",
    # Templates that the headers themselves instantiate are instantiated once, here.
    "-fpch-instantiate-templates",
    # Bazel sets its own file times and tracks changes itself.
    "-Xclang",
    "-fno-pch-timestamp",
    # Every action has its own folder, and finds the headers there.
    "-working-directory=/proc/self/cwd",
]

def _compile(ctx, toolchain, header, out, context):
    base = precompiled_header_options(ctx.bin_dir.path, ctx.attr.base.label.name) if ctx.attr.base else []
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiler = cc_common.get_tool_for_action(feature_configuration = features, action_name = CPP_COMPILE_ACTION_NAME)
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        include_directories = context.includes,
        output_file = out.path,
        preprocessor_defines = context.defines,
        quote_include_directories = context.quote_includes,
        source_file = header.path,
        system_include_directories = context.system_includes,
        use_pic = toolchain.needs_pic_for_dynamic_libraries(feature_configuration = features),
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + _OPTIONS + base,
    )
    ctx.actions.run(
        arguments = cc_common.get_memory_inefficient_command_line(
            action_name = CPP_COMPILE_ACTION_NAME,
            feature_configuration = features,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            action_name = CPP_COMPILE_ACTION_NAME,
            feature_configuration = features,
            variables = variables,
        ),
        executable = compiler,
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        mnemonic = "CppPrecompile",
        outputs = [out],
        progress_message = "Precompiling %s" % header.short_path,
    )

# The compiler does not report that it used a precompiled header, so Bazel would not recompile when it changes. The
# stamp is a header that changes with it and that the compiler does report. It also includes the stamp of the base
# header, so that it changes with that, too.
def _write_stamp(ctx, precompiled, stamp):
    stamped = [precompiled] + ctx.files.base
    ctx.actions.run_shell(
        arguments = [stamp.path] + [file.path for file in stamped],
        command = 'out=$1; shift; digest=$(cat "$@" | sha256sum) && echo "// ${digest%% *}" >"$out"',
        inputs = stamped,
        mnemonic = "CppPrecompileStamp",
        outputs = [stamp],
        progress_message = "Stamping %s" % precompiled.short_path,
    )

def _is_used(ctx, toolchain):
    """If it is clang, not debugging, not --config=separate, and not for a tool of the build.

    --config=separate leaves the zips alone, which are optimized. Tools of the build are few, and not all of their files
    are compiled as position-independent, which a header must agree with.
    """
    mode = ctx.var["COMPILATION_MODE"]
    is_for_tools = "-exec-" in ctx.bin_dir.path or "/host/" in ctx.bin_dir.path
    return (
        toolchain.compiler_executable.endswith("/clang") and
        mode != "dbg" and
        (mode == "opt" or ctx.var.get("files") != "separate") and
        not is_for_tools
    )

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    stamp = ctx.actions.declare_file(ctx.label.name + "_stamp.h")
    if not _is_used(ctx, toolchain):
        ctx.actions.write(header, "")
        ctx.actions.write(stamp, "")
        return [
            CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset([header, stamp]))),
            DefaultInfo(files = depset([stamp])),
        ]

    ctx.actions.symlink(output = header, target_file = ctx.file.header)
    precompiled = ctx.actions.declare_file(header.basename + ".pch")
    deps = ctx.attr.deps + ([ctx.attr.base] if ctx.attr.base else [])
    libraries = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in deps]).compilation_context
    _compile(ctx, toolchain, header, precompiled, libraries)
    _write_stamp(ctx, precompiled, stamp)

    # Only the headers: a program declares itself what it links.
    own = cc_common.create_compilation_context(headers = depset([header, precompiled, stamp]))
    return [
        cc_common.merge_cc_infos(cc_infos = [
            CcInfo(compilation_context = own),
            CcInfo(compilation_context = libraries),
        ]),
        DefaultInfo(files = depset([stamp])),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Compiles a header once for all the targets that include it first.",
    attrs = {
        "base": attr.label(doc = "A precompiled header to start from, of the same package.", providers = [CcInfo]),
        "deps": attr.label_list(doc = "The libraries whose headers it includes.", providers = [CcInfo]),
        "header": attr.label(allow_single_file = [".h"], mandatory = True),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
