"""A Node.js function as a team would deploy it: bundled and minified with esbuild, then zipped.

    node_function(
        name = "node_sender",
        main = "node/sender.js",
        srcs = ["node/log.js"],
    )

makes node_sender/index.js, of which Lambda calls the handler, and node_sender.zip with it.
"""

def node_function(name, main, srcs):
    """Bundles a module with all that it requires, the AWS SDK included.

    Args:
      name: the folder of the bundle, and the name of the zip.
      main: the module that exports the handler.
      srcs: the other sources.
    """
    native.genrule(
        name = name + "_bundle",
        testonly = True,
        srcs = [main] + srcs + ["@js_tools//:node_modules"],
        outs = [name + "/index.js"],
        # ES modules where packages have them: esbuild leaves out what is not used, which makes the bundle a quarter
        # smaller, and faster to load.
        cmd = " ".join([
            "modules=$$PWD/$(execpath @js_tools//:node_modules);",
            "NODE_PATH=$$modules $$modules/@esbuild/linux-x64/bin/esbuild $(execpath %s)" % main,
            "--bundle --minify --platform=node --target=node20 --main-fields=module,main",
            "--log-level=warning --outfile=$@",
        ]),
    )
    native.genrule(
        name = name + "_zip",
        testonly = True,
        srcs = [name + "/index.js"],
        outs = [name + ".zip"],
        cmd = "$(execpath @bazel_tools//tools/zip:zipper) cC $@ index.js=$<",
        tools = ["@bazel_tools//tools/zip:zipper"],
    )
