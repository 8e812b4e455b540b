"""PostgreSQL's data folder, fresh from initdb, in one file (see prepared.h).

    prepared_server(name = "prepared_server")

makes prepared_server.bin.
"""

def _prepared_server_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".bin")
    binaries = ctx.file._binaries
    ctx.actions.run(
        executable = ctx.executable._prepare,
        arguments = [binaries.path, out.path],
        inputs = [binaries],
        outputs = [out],
        mnemonic = "PrepareServer",
        progress_message = "Initializing PostgreSQL",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

prepared_server = rule(
    doc = "Makes {name}.bin.",
    implementation = _prepared_server_impl,
    attrs = {
        "_binaries": attr.label(
            allow_single_file = True,
            default = "@postgres_server",
        ),
        # Not built again for the machine that builds: both run on the same kind.
        "_prepare": attr.label(
            cfg = "target",
            default = ":prepare",
            executable = True,
        ),
    },
)
