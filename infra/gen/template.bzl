"""Templates as build outputs.

    cloudformation_template(
        name = "scheduler_template",
        out = "scheduler.template.json",
        stack = "scheduler",
    )

writes what `./bazelw run //infra/gen:template -- --stack=scheduler` prints.
"""

def _impl(ctx):
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [
            "--stack=" + ctx.attr.stack,
            "--format=" + ctx.attr.format,
            "--out=" + ctx.outputs.out.path,
        ],
        outputs = [ctx.outputs.out],
        mnemonic = "CloudFormationTemplate",
        progress_message = "Generating the template of the stack %s" % ctx.attr.stack,
    )
    return [DefaultInfo(
        files = depset([ctx.outputs.out]),
        runfiles = ctx.runfiles(files = [ctx.outputs.out]),
    )]

cloudformation_template = rule(
    implementation = _impl,
    doc = "Generates the CloudFormation template of a stack.",
    attrs = {
        "format": attr.string(default = "json", values = ["json", "yaml"]),
        "out": attr.output(mandatory = True),
        "stack": attr.string(mandatory = True),
        # As it is built for the target, so that nothing is compiled twice.
        "_generator": attr.label(
            default = "//infra/gen:template",
            executable = True,
            cfg = "target",
        ),
    },
)
