"""Registry mode's way to the repositories from npm and from Debian packages (see MODULE.bazel)."""

load("//third_party:debian_tools.bzl", "debian_tools", "debian_tools_without_debian")
load("//third_party:defs.bzl", "can_fetch_from_debian", "files_repository")
load("//third_party:lock.bzl", "DEBIAN_RELEASE")
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

def _debian_impl(ctx):
    if can_fetch_from_debian(ctx, DEBIAN_RELEASE):
        debian_tools()
    else:
        debian_tools_without_debian()

debian = module_extension(
    doc = "The AWS CLI, boto3 and clang-tidy, as archive mode has them, on a machine with Debian's sources.",
    environ = ["BYOSHIN_APT_SOURCES"],
    implementation = _debian_impl,
)
