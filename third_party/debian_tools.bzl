"""Tools that both modes take from Debian packages. Each is downloaded when something first needs it."""

load("//third_party:defs.bzl", "debian_archive", "debian_pool", "files_repository")
load("//third_party:lock.bzl", "DEBIAN_BINARIES", "DEBIAN_RELEASE", "DEBIAN_TOOLS")

# The AWS CLI and boto3, with the Python that their compiled modules are made for.
_AWS_CLIENTS = [
    "awscli",
    "python3-boto3",
    # Their dependencies.
    "libbz2-1.0",
    "libexpat1",
    "libffi8",
    "liblzma5",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libsqlite3-0",
    "libssl3",
    "libuuid1",
    "python3-awscrt",
    "python3-botocore",
    "python3-certifi",
    "python3-cffi-backend",
    "python3-chardet",
    "python3-charset-normalizer",
    "python3-colorama",
    "python3-cryptography",
    "python3-dateutil",
    "python3-distro",
    "python3-docutils",
    "python3-idna",
    "python3-jmespath",
    "python3-prompt-toolkit",
    "python3-requests",
    "python3-roman",
    "python3-ruamel.yaml",
    "python3-ruamel.yaml.clib",
    "python3-s3transfer",
    "python3-six",
    "python3-urllib3",
    "python3-wcwidth",
    "python3.11-minimal",
    "zlib1g",
]

_CLANG_TIDY = [
    "clang-tidy-19",
    # Its dependencies.
    "libbsd0",
    "libclang-common-19-dev",
    "libclang-cpp19",
    "libedit2",
    "libffi8",
    "libicu72",
    "libllvm19",
    "libmd0",
    "libxml2",
    "libz3-4",
]

# AWS's models of its services. Newer than those of the clients above.
_AWS_MODELS = ["python3-botocore/trixie"]

def _pin(package):
    return DEBIAN_TOOLS[package] if package in DEBIAN_TOOLS else DEBIAN_BINARIES[package]

def _tool(name, packages, overlay = {}):
    names = {package: package.partition("/")[0] for package in packages}
    debian_pool(
        name = name + "_packages",
        binaries = {names[package]: json.encode(_pin(package)) for package in packages},
        release = DEBIAN_RELEASE,
    )
    debian_archive(
        name = name,
        packages = names.values(),
        build_file = "//third_party/overlays:%s.BUILD" % name,
        overlay = overlay,
        pool = name + "_packages",
        strip_prefix = "",
    )

def debian_tools():
    """Declares them."""
    _tool("aws_clients", _AWS_CLIENTS, {
        "//third_party/overlays:aws_clients_aws.sh": "aws.sh",
        "//third_party/overlays:aws_clients_python.sh": "python.sh",
    })
    _tool("aws_models", _AWS_MODELS)
    _tool("clang_tidy", _CLANG_TIDY, {"//third_party/overlays:clang_tidy.sh": "clang-tidy.sh"})

def debian_tools_without_debian():
    """Declares the same labels where Debian packages can't be had. Bazel reports what depends on them as skipped."""
    for name, programs in [("aws_clients", ["aws", "python"]), ("aws_models", ["aws_models"]), ("clang_tidy", ["clang_tidy"])]:
        files_repository(name = name + "_packages")
        files_repository(
            name = name,
            build_file_content = "".join([
                'filegroup(name = "%s", target_compatible_with = ["@platforms//:incompatible"], visibility = ["//visibility:public"])\n' % program
                for program in programs
            ]),
        )
