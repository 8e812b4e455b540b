"""Archive mode's repositories, under the names and labels of the Bazel Central Registry's modules.

A BUILD file of ours can't tell which mode it is in: what stands here for Bazel 4.2.3, MODULE.bazel
declares for Bazel 7.
"""

load("//third_party:debian_tools.bzl", "debian_tools")
load(
    "//third_party:defs.bzl",
    "debian_archive",
    "debian_pool",
    "debian_source",
    "files_repository",
)
load("//third_party:lock.bzl", "DEBIAN_BINARIES", "DEBIAN_RELEASE", "DEBIAN_SOURCES")
load("//third_party:npm_deps.bzl", "npm_dependencies")

# The labels of abseil-cpp that Byoshin may use; Debian has it as one set of archives.
_ABSEIL_TARGETS = {
    "absl/algorithm": ["algorithm", "container"],
    "absl/base": ["base", "core_headers", "endian", "nullability", "no_destructor"],
    "absl/cleanup": ["cleanup"],
    "absl/container": ["btree", "fixed_array", "flat_hash_map", "flat_hash_set", "inlined_vector", "node_hash_map", "node_hash_set"],
    "absl/flags": ["flag", "parse", "usage"],
    "absl/functional": ["any_invocable", "bind_front", "function_ref"],
    "absl/hash": ["hash"],
    "absl/memory": ["memory"],
    "absl/meta": ["type_traits"],
    "absl/numeric": ["bits", "int128"],
    "absl/random": ["random", "distributions", "seed_sequences"],
    "absl/status": ["status", "statusor"],
    "absl/strings": ["cord", "str_format", "strings"],
    "absl/synchronization": ["synchronization"],
    "absl/time": ["time"],
    "absl/types": ["optional", "span", "variant"],
    "absl/utility": ["utility"],
}

def _overlay(name):
    return "//third_party/overlays:%s.BUILD" % name

def _alias_repository(name, actual):
    files_repository(
        name = name,
        build_file_content = "".join([
            'alias(name = "%s", actual = "%s", visibility = ["//visibility:public"])\n' % (alias, target)
            for alias, target in actual.items()
        ]),
    )

def _bazel_repositories():
    """What Bazel 4.2.3 itself would download, from Debian's packages or as stubs, and what our stubs use."""
    files_repository(
        name = "rules_cc",
        files = {
            "//third_party/bazel:compiled_together.bzl": "cc/compiled_together.bzl",
            "//third_party/bazel:rules_cc.bzl": "cc/defs.bzl",
        },
        packages = ["", "cc"],
    )
    files_repository(
        name = "precompiled",
        files = {
            "//third_party/overlays:precompiled.BUILD": "BUILD.bazel",
            "//third_party/overlays:precompiled_common.h": "common_includes.h",
            "//third_party/overlays:precompiled_for_tests.h": "for_tests_includes.h",
        },
        packages = [],
    )
    files_repository(
        name = "remote_coverage_tools",
        files = {
            "//third_party/bazel:merge_coverage.sh": "merge_coverage.sh",
            "//third_party/bazel:remote_coverage_tools.BUILD": "BUILD.bazel",
        },
        packages = [],
    )
    debian_archive(
        name = "rules_java",
        packages = ["bazel-rules-java"],
        strip_prefix = "usr/share/bazel/rules/java",
    )
    debian_archive(
        name = "rules_proto",
        packages = ["bazel-rules-proto"],
        strip_prefix = "usr/share/bazel/rules/proto",
    )
    debian_archive(
        name = "bazel_skylib",
        packages = ["bazel-skylib"],
        strip_prefix = "usr/share/bazel/tools/skylib",
    )

def _compiler():
    """Clang, with the name that Bazel 4.2.3 has for the machine's compiler, and what it compiles against."""
    debian_archive(
        name = "local_config_cc",
        packages = [
            "clang-19",
            "libclang-common-19-dev",
            "libclang-rt-19-dev",
            "lld-19",
            # Dependencies that a minimal Debian lacks.
            "libbsd0",
            "libclang-cpp19",
            "libedit2",
            "libffi8",
            "libicu72",
            "libllvm19",
            "libmd0",
            "libxml2",
            "libz3-4",
        ],
        build_file_template = _overlay("clang"),
        overlay = {
            "//third_party/overlays:ar.sh": "ar",
            "//third_party/overlays:clang.sh": "clang",
        },
        strip_prefix = "",
    )
    debian_archive(
        name = "sysroot",
        packages = [
            "libc6",
            "libc6-dev",
            "libgcc-12-dev",
            "libgcc-s1",
            "libstdc++-12-dev",
            "libstdc++6",
            "linux-libc-dev",
        ],
        build_file = _overlay("sysroot"),
        strip_prefix = "",
    )

def _abseil():
    debian_archive(
        name = "abseil-cpp",
        packages = ["libabsl-dev"],
        build_file = _overlay("abseil"),
        merge_archives = {"libabsl.a": "lib/x86_64-linux-gnu/libabsl_"},
        aliases = _ABSEIL_TARGETS,
        # Abseil implements its own locks, so the thread sanitizer needs their source.
        aliases_actual = 'select({"//:tsan": "@abseil-cpp-source//:absl", "//conditions:default": "//:absl"})',
    )
    debian_source(
        name = "abseil-cpp-source",
        package = "abseil",
        build_file = _overlay("abseil_source"),
    )

def _protobuf():
    debian_archive(
        name = "protobuf",
        packages = ["libprotobuf-dev", "libprotoc-dev"],
        build_file = _overlay("protobuf"),
        # Under the thread sanitizer this header adds a member that the prebuilt library lacks.
        edits = {"include/google/protobuf/map_field.h": "s/__SANITIZE_THREAD__/BYOSHIN_PROTOBUF_FROM_SOURCE/"},
        overlay = {
            "//third_party/overlays:protobuf_bazel.BUILD": "bazel/BUILD.bazel",
            "//third_party/overlays:protobuf_generated_pool.cc": "generated_pool.cc",
            "//third_party/overlays:protobuf_cc_proto_library.bzl": "bazel/cc_proto_library.bzl",
            "//third_party/overlays:protobuf_proto_library.bzl": "bazel/proto_library.bzl",
            "//third_party/overlays:protoc_main.cc": "protoc_main.cc",
        },
    )

    # The name under which Bazel 4.2.3's own proto rules look for the compiler.
    _alias_repository("com_google_protobuf", {"protoc": "@protobuf//:protoc"})

def _boost():
    debian_archive(
        name = "boost",
        packages = ["libboost1.81-dev"],
        build_file = _overlay("boost"),
    )
    _alias_repository("boost.asio", {"boost.asio": "@boost//:asio"})
    _alias_repository("boost.beast", {"boost.beast": "@boost//:beast"})

def archive_dependencies():
    """Declares every repository of archive mode."""
    debian_pool(
        name = "debian",
        binaries = {name: json.encode(pin) for name, pin in DEBIAN_BINARIES.items()},
        release = DEBIAN_RELEASE,
        sources = {name: json.encode(pin) for name, pin in DEBIAN_SOURCES.items()},
    )
    _bazel_repositories()
    _compiler()
    _abseil()
    _protobuf()
    _boost()
    debian_archive(name = "googletest", packages = ["libgtest-dev", "libgmock-dev"], build_file = _overlay("googletest"))
    debian_archive(name = "rapidcheck", packages = ["librapidcheck-dev"], build_file = _overlay("rapidcheck"))
    debian_archive(name = "re2", packages = ["libre2-dev"], build_file = _overlay("re2"))
    debian_archive(name = "openssl", packages = ["libssl-dev"], build_file = _overlay("openssl"))

    # OpenSSL's libcrypto under the name that curl's own TLS library has in the registry: what both have is enough.
    _alias_repository("boringssl", {"crypto": "@openssl//:crypto"})
    debian_archive(name = "c-ares", packages = ["libc-ares-dev"], build_file = _overlay("c-ares"))
    debian_archive(name = "zlib", packages = ["zlib1g-dev"], build_file = _overlay("zlib"))
    debian_archive(name = "nghttp2", packages = ["libnghttp2-dev"], build_file = _overlay("nghttp2"))
    debian_archive(name = "sqlite3", packages = ["libsqlite3-dev"], build_file = _overlay("sqlite3"))
    debian_source(name = "google_benchmark", package = "benchmark", build_file = _overlay("google_benchmark"))
    debian_source(name = "jsoncpp", package = "libjsoncpp", build_file = _overlay("jsoncpp"))
    debian_source(
        name = "quickjs",
        package = "quickjs",
        build_file = _overlay("quickjs"),
        patches = ["//third_party/overlays:quickjs.patch"],
    )
    debian_source(
        name = "curl",
        package = "curl",
        build_file = _overlay("curl"),
        overlay = {"//third_party/overlays:curl_config.h": "config/curl_config.h"},
        patches = ["//third_party/overlays:curl.patch"],
    )
    debian_source(
        name = "postgres",
        package = "postgresql-15",
        build_file = _overlay("postgres"),
        overlay = {"//third_party/overlays:postgres_config.h": "config/pg_config.h"},
        patches = ["//third_party/overlays:libpq.patch"],
    )
    files_repository(
        name = "static_nss",
        files = {
            "//third_party/overlays:static_nss.BUILD": "BUILD.bazel",
            "//third_party/overlays:static_nss.c": "static_nss.c",
        },
        packages = [],
    )
    debian_tools()
    npm_dependencies()
