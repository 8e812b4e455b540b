"""A test in JavaScript that drives the local cloud with the AWS SDK.

    conformance_test(name = "sqs_queues_test")

runs sqs_queues_test.js. A failure names the case.
"""

def conformance_test(name, size = "small"):
    """Declares it.

    Args:
      name: of the test, and of its file without ".js".
      size: as of any test.
    """
    script = name + ".js"
    native.sh_test(
        name = name,
        size = size,
        srcs = ["node_test.sh"],
        args = [
            "$(rootpath @node)",
            "$(rootpath @js_tools//:node_modules)",
            "$(rootpath %s)" % script,
            "$(rootpath //local:serve)",
        ],
        data = [
            script,
            ":support",
            "//local:serve",
            "@js_tools//:node_modules",
            "@node",
        ],
    )
