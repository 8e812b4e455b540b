"""Tells C++ code where files are among a program's runfiles: the two build modes differ for outside files.

    runfile_paths(
        name = "node_paths",
        files = {"@node": "kNode"},
    )

makes node_paths.h with `inline constexpr char kNode[] = "..."`, a path relative to the folder that tests, and
programs under `bazel run`, start in, and `kRunfilesWorkspace`, the name of that folder among the runfiles, which the two
modes call differently, too.
"""

def _runfile_paths_impl(ctx):
    guard = ctx.outputs.header.short_path.upper().replace("/", "_").replace(".", "_")
    lines = ["#ifndef BYOSHIN_%s_" % guard, "#define BYOSHIN_%s_" % guard, ""]
    lines.append("inline constexpr char kRunfilesWorkspace[] = \"%s\";" % ctx.workspace_name)
    for target, constant in ctx.attr.files.items():
        path = target[DefaultInfo].files.to_list()[0].short_path
        lines.append("inline constexpr char %s[] = \"%s\";" % (constant, path))
    lines += ["", "#endif  // BYOSHIN_%s_" % guard, ""]

    # Only the paths are needed, so the files are not inputs: node_modules has thousands.
    ctx.actions.write(ctx.outputs.header, "\n".join(lines))

runfile_paths = rule(
    doc = "Generates a header, {name}.h, with constants for runfiles' paths and for the folder that they start from.",
    implementation = _runfile_paths_impl,
    attrs = {
        "files": attr.label_keyed_string_dict(
            doc = "{a single file: the name of its constant}.",
            allow_files = True,
        ),
    },
    outputs = {"header": "%{name}.h"},
)
