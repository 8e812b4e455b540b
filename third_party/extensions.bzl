"""Registry mode's way to the npm repositories (see MODULE.bazel)."""

load("//third_party:npm_deps.bzl", "npm_dependencies")

def _npm_impl(_ctx):
    npm_dependencies()

npm = module_extension(
    doc = "Node.js, aws-lambda-cpp and the JavaScript test tools, as archive mode has them.",
    implementation = _npm_impl,
)
