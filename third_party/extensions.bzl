"""Registry mode's way to the repositories that are not in the registry (see MODULE.bazel)."""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("//third_party:debian_tools.bzl", "debian_tools", "debian_tools_without_debian")
load("//third_party:defs.bzl", "can_fetch_from_debian", "debian_pool", "debian_source", "files_repository")
load("//third_party:lock.bzl", "DEBIAN_RELEASE", "DEBIAN_SOURCES")
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

# The release of which the lock has Debian's source: the same files, but for Debian's Makefile.
_QUICKJS_RELEASE = "2025-04-26"
_QUICKJS_SHA256 = "2f20074c25166ef6f781f381c50d57b502cb85d470d639abccebbef7954c83bf"

def _quickjs_impl(ctx):
    build_file = Label("//third_party/overlays:quickjs.BUILD")
    patches = [Label("//third_party/overlays:quickjs.patch")]
    if can_fetch_from_debian(ctx, DEBIAN_RELEASE) and ctx.which("dpkg-source"):
        debian_pool(
            name = "quickjs_packages",
            release = DEBIAN_RELEASE,
            sources = {"quickjs": json.encode(DEBIAN_SOURCES["quickjs"])},
        )
        debian_source(
            name = "quickjs",
            build_file = build_file,
            package = "quickjs",
            patches = patches,
            pool = "quickjs_packages",
        )
    else:
        files_repository(name = "quickjs_packages")
        http_archive(
            name = "quickjs",
            build_file = build_file,
            patch_args = ["-p1"],
            patches = patches,
            sha256 = _QUICKJS_SHA256,
            strip_prefix = "quickjs-" + _QUICKJS_RELEASE,
            urls = ["https://bellard.org/quickjs/quickjs-%s.tar.xz" % _QUICKJS_RELEASE],
        )

quickjs = module_extension(
    doc = "QuickJS as archive mode has it: from Debian's source if the machine has Debian's sources, otherwise from its author.",
    environ = ["BYOSHIN_APT_SOURCES"],
    implementation = _quickjs_impl,
)

def _debian_impl(ctx):
    if can_fetch_from_debian(ctx, DEBIAN_RELEASE):
        debian_tools()
    else:
        debian_tools_without_debian()

debian = module_extension(
    doc = "The AWS CLI, boto3, AWS's models and clang-tidy, as archive mode has them, on a machine with Debian's sources.",
    environ = ["BYOSHIN_APT_SOURCES"],
    implementation = _debian_impl,
)
