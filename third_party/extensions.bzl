"""Registry mode's way to the npm repositories (see MODULE.bazel)."""

load("//third_party:defs.bzl", "files_repository")
load("//third_party:npm_deps.bzl", "npm_dependencies")

def _npm_impl(_ctx):
    npm_dependencies()

    # Archive mode stubs glibc's resolver out of static programs, since its curl has c-ares. The
    # registry's curl may need it.
    files_repository(
        name = "static_nss",
        build_file_content = 'cc_library(name = "static_nss", visibility = ["//visibility:public"])\n',
    )

npm = module_extension(
    doc = "Node.js, aws-lambda-cpp and the JavaScript test tools, as archive mode has them.",
    implementation = _npm_impl,
)
