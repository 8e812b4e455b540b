"""Files as part of a program: no runtime file access, no paths to get wrong.

    embedded_files(
        name = "embedded_page",
        files = {"page/app.js": "app.js"},
        function = "byoshin::local::dashboard::FrameAssets",
    )

makes embedded_page.cc, which defines the function. It returns the files as local/dashboard/assets.h has them:

    const std::vector<Asset>& FrameAssets();
"""

def _embedded_files_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    arguments = ctx.actions.args()
    arguments.add(out)
    arguments.add(ctx.attr.function)
    for target, name in ctx.attr.files.items():
        arguments.add(target[DefaultInfo].files.to_list()[0], format = name + "=%s")
    ctx.actions.run(
        executable = ctx.executable._embed,
        arguments = [arguments],
        inputs = ctx.files.files,
        outputs = [out],
        mnemonic = "EmbedFiles",
        progress_message = "Embedding %d files" % len(ctx.files.files),
    )
    return [DefaultInfo(files = depset([out]))]

embedded_files = rule(
    doc = "Generates {name}.cc from files, compressed.",
    implementation = _embedded_files_impl,
    attrs = {
        "files": attr.label_keyed_string_dict(
            doc = "{a single file: its name}.",
            allow_files = True,
            mandatory = True,
        ),
        "function": attr.string(
            doc = "What returns them, with its namespace.",
            mandatory = True,
        ),
        "_embed": attr.label(
            cfg = "exec",
            default = "//local/dashboard:embed",
            executable = True,
        ),
    },
)
