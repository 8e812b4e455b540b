"""Repository rules: outside code, by name, from the machine's Debian mirror and npm.

Each rule is a thin shell around fetch/fetch.py, which downloads, verifies and caches; see there
for what happens when a pin is gone or the network is. The rules work under Bazel 4.2.3 (WORKSPACE)
and Bazel 7 and 8 (MODULE.bazel).

    debian_pool      downloads Debian packages of the lock, all at once
    debian_archive   unpacks binary packages of the pool
    debian_source    unpacks a source package of the pool, with Debian's patches
    npm_archive      unpacks one npm package
    npm_tree         node_modules as a package-lock.json says
    files_repository puts files of this repository together under another repository's name
"""

_SCRIPTS = [
    "//third_party/fetch:" + name
    for name in ["fetch.py", "apt.py", "debian.py", "errors.py", "npm.py", "store.py"]
]

# If these change, Bazel fetches again.
_ENVIRONMENT = ["BYOSHIN_DOWNLOAD_CACHE", "BYOSHIN_ALLOW_UNLOCKED_PACKAGES", "BYOSHIN_APT_SOURCES"]

_COMMON_ATTRS = {
    "build_file": attr.label(doc = "The repository's root BUILD file.", allow_single_file = True),
    "overlay": attr.label_keyed_string_dict(
        doc = "Files of ours to put into the repository: {label: path}.",
        allow_files = True,
    ),
    "_scripts": attr.label_list(default = _SCRIPTS),
}

def _run(ctx, argv, hint = ""):
    result = ctx.execute(argv, timeout = 900)
    if result.return_code != 0:
        fail("\n\n@%s: %s\n%s" % (ctx.name, result.stderr or result.stdout, hint))
    return result.stdout

def _unpack(ctx, program, package, arguments):
    """Runs a program of dpkg's, which is the machine's own and comes in the Debian package `package`."""
    if not ctx.which(program):
        fail("\n\n@%s: %s is needed to unpack Debian packages; on Debian, ./bazelw installs it (package %s). Elsewhere, use registry mode: see docs/decisions/0001-two-build-modes.md.\n" % (ctx.name, program, package))

    # The file's digest was verified when it was fetched.
    _run(
        ctx,
        [program] + arguments,
        hint = "Is there room on the disk? If so, have everything fetched anew: ./bazelw clean --expunge\n",
    )

def _find_python(ctx):
    python = ctx.path("/usr/bin/python3")
    return python if python.exists else ctx.which("python3")

def _fetch(ctx, *arguments):
    # Resolving every script makes the repository depend on all of them.
    scripts = [ctx.path(script) for script in ctx.attr._scripts]
    python = _find_python(ctx)
    if not python:
        fail("\n\n@%s: python3 is needed to fetch packages; ./bazelw installs it on Debian.\n" % ctx.name)
    said = _run(ctx, [python, "-B", scripts[0]] + list(arguments))
    if said:
        # buildifier: disable=print
        print("\n\n%s\n" % said.strip())

def can_fetch_from_debian(ctx, release):
    """Tells whether the machine has what debian_pool and debian_archive need.

    Args:
      ctx: the context of a module extension.
      release: the Debian release to fetch from.

    Returns:
      Whether it has.
    """
    python = _find_python(ctx)
    if not python or not ctx.which("dpkg-deb"):
        return False
    scripts = [ctx.path(Label(script)) for script in _SCRIPTS]
    return ctx.execute([python, "-B", scripts[0], "debian-sources", release]).return_code == 0

def _hoist(ctx, folder):
    """Makes what is in `folder`, below unpacked/, the content of the repository."""
    _run(ctx, ["sh", "-c", 'mv "$1"/* . && rm -rf unpacked', "sh", folder])

def _remove_build_files(ctx):
    _run(ctx, ["find", "unpacked", "(", "-name", "BUILD", "-o", "-name", "BUILD.bazel", "-o", "-name", "WORKSPACE", ")", "-type", "f", "-delete"])

def _finish(ctx):
    for label, path in ctx.attr.overlay.items():
        ctx.delete(path)
        ctx.symlink(label, path)
    if ctx.attr.build_file:
        ctx.delete("BUILD.bazel")
        ctx.symlink(ctx.attr.build_file, "BUILD.bazel")

def _debian_pool_impl(ctx):
    request = {
        "release": ctx.attr.release,
        "binaries": {name: json.decode(pin) for name, pin in ctx.attr.binaries.items()},
        "sources": {name: json.decode(pin) for name, pin in ctx.attr.sources.items()},
    }
    ctx.file("request.json", json.encode(request))
    _fetch(ctx, "debian", ctx.path("request.json"), ctx.path("."))
    ctx.file("BUILD.bazel", 'exports_files(glob(["binaries/**", "sources/**"]))\n')

debian_pool = repository_rule(
    doc = "Downloads Debian packages of the lock, in one batch, for the rules below.",
    implementation = _debian_pool_impl,
    attrs = {
        "release": attr.string(doc = "The Debian release that the pins belong to.", mandatory = True),
        "binaries": attr.string_dict(doc = "{package: its pin as JSON}."),
        "sources": attr.string_dict(doc = "{source package: its pin as JSON}."),
        "_scripts": attr.label_list(default = _SCRIPTS),
    },
    environ = _ENVIRONMENT,
)

def _debian_archive_impl(ctx):
    files = [ctx.path(Label("@%s//:binaries/%s.deb" % (ctx.attr.pool, package))) for package in ctx.attr.packages]
    for file in files:
        _unpack(ctx, "dpkg-deb", "dpkg", ["-x", file, "unpacked"])
    _hoist(ctx, "unpacked/" + ctx.attr.strip_prefix)
    ctx.file("packages.sha256", _run(ctx, ["sha256sum"] + files))

    # The .so links of a -dev package dangle without its library, or would point at the host's.
    _run(ctx, ["find", ".", "-name", "*.so", "-type", "l", "(", "-lname", "/*", "-o", "-xtype", "l", ")", "-delete"])

    # Other absolute links would point at the host's, too: at the dynamic linker of another release, say.
    _run(ctx, ["find", ".", "-type", "l", "-lname", "/*", "-exec", "sh", "-c", """
        for link; do
            target=.$(readlink "$link")
            [ ! -e "$target" ] || ln -sfnr "$target" "$link"
        done
    """, "sh", "{}", "+"])
    for out, prefix in ctx.attr.merge_archives.items():
        # One archive instead of dozens that depend on the order in which they are linked.
        _run(ctx, ["sh", "-c", """
            set -e
            { echo "create $1"; for a in "$2"*.a; do echo "addlib $a"; done; echo save; echo end; } | ar -M
        """, "sh", out, prefix])
    for path, script in ctx.attr.edits.items():
        _run(ctx, ["sed", "-i", script, path])
    _finish(ctx)
    if ctx.attr.build_file_template:
        ctx.template("BUILD.bazel", ctx.attr.build_file_template, {"{EXTERNAL}": str(ctx.path(".").dirname)})
    for package, targets in ctx.attr.aliases.items():
        ctx.file(package + "/BUILD.bazel", 'package(default_visibility = ["//visibility:public"])\n' + "".join(
            ['alias(name = "%s", actual = %s)\n' % (target, ctx.attr.aliases_actual) for target in targets],
        ))

debian_archive = repository_rule(
    doc = "Unpacks binary packages of a debian_pool. Nothing is installed on the host.",
    implementation = _debian_archive_impl,
    attrs = dict(
        _COMMON_ATTRS,
        packages = attr.string_list(doc = "Names in the lock.", mandatory = True),
        pool = attr.string(doc = "The debian_pool that has them.", default = "debian"),
        build_file_template = attr.label(
            doc = "A root BUILD file with {EXTERNAL} for the folder of all repositories. What uses files by such a path depends on packages.sha256, which changes with them.",
            allow_single_file = True,
        ),
        strip_prefix = attr.string(doc = "The folder that becomes the root.", default = "usr"),
        merge_archives = attr.string_dict(doc = "{one archive to make: prefix of its parts}."),
        edits = attr.string_dict(doc = "{file: sed script} to apply."),
        aliases = attr.string_list_dict(doc = "{package: targets} to declare besides the root's."),
        aliases_actual = attr.string(doc = "What they all stand for, as a BUILD expression."),
    ),
)

def _debian_source_impl(ctx):
    package = ctx.attr.package
    description = ctx.path(Label("@%s//:sources/%s/%s.dsc" % (ctx.attr.pool, package, package)))

    # Already verified by digest. Applies debian/patches.
    _unpack(ctx, "dpkg-source", "dpkg-dev", ["--no-check", "-x", description, "unpacked"])
    _remove_build_files(ctx)
    ctx.delete("unpacked/debian")
    _hoist(ctx, "unpacked")
    for patch in ctx.attr.patches:
        ctx.patch(patch, strip = 1)
    _finish(ctx)

debian_source = repository_rule(
    doc = "Unpacks a source package of a debian_pool, with Debian's patches applied.",
    implementation = _debian_source_impl,
    attrs = dict(
        _COMMON_ATTRS,
        package = attr.string(doc = "The source package's name in the lock.", mandatory = True),
        pool = attr.string(doc = "The debian_pool that has it.", default = "debian"),
        patches = attr.label_list(doc = "Patches of ours, after Debian's.", allow_files = True),
    ),
)

def _npm_archive_impl(ctx):
    _fetch(ctx, "npm-archive", ctx.attr.package, ctx.attr.version, ctx.attr.integrity, ctx.path("package.tgz"))

    # The machine's tar, not Bazel's, which in Debian 13 lacks a Java library and crashes.
    _run(ctx, ["tar", "--no-same-owner", "--strip-components=1", "-xzf", "package.tgz"])
    ctx.delete("package.tgz")
    if ctx.attr.inner_archive:
        # Archives made on macOS carry extra headers and ._ files.
        _run(ctx, ["sh", "-c", """
            set -e
            mkdir unpacked
            tar -C unpacked --warning=no-unknown-keyword --exclude='._*' -xf "$1"
            find . -mindepth 1 -maxdepth 1 ! -name unpacked -exec rm -rf {} +
        """, "sh", ctx.attr.inner_archive])
        _remove_build_files(ctx)
        _hoist(ctx, "unpacked")
    if ctx.attr.links:
        # npm packages can't contain symbolic links.
        for link in json.decode(ctx.read(ctx.attr.links)):
            _run(ctx, ["ln", "-s", "--relative", link["source"], link["target"]])
    _finish(ctx)

npm_archive = repository_rule(
    doc = "Unpacks one npm package, verified by its integrity string.",
    implementation = _npm_archive_impl,
    attrs = dict(
        _COMMON_ATTRS,
        package = attr.string(mandatory = True),
        version = attr.string(mandatory = True),
        integrity = attr.string(mandatory = True),
        inner_archive = attr.string(doc = "A tar archive in the package that is all that is wanted."),
        links = attr.string(doc = "A JSON file in the package, a list of {source, target}: symbolic links to create."),
    ),
    environ = _ENVIRONMENT,
)

def _npm_tree_impl(ctx):
    _fetch(ctx, "npm-tree", ctx.path(ctx.attr.package_json), ctx.path(ctx.attr.package_lock), ctx.path("."))

    # The folder as one input: a tree has thousands of files, too many to link into each sandbox.
    ctx.file("BUILD.bazel", 'exports_files(["node_modules"])\n')

npm_tree = repository_rule(
    doc = "node_modules exactly as a package-lock.json says; install scripts never run.",
    implementation = _npm_tree_impl,
    attrs = {
        "package_json": attr.label(mandatory = True, allow_single_file = True),
        "package_lock": attr.label(mandatory = True, allow_single_file = True),
        "_scripts": attr.label_list(default = _SCRIPTS),
    },
    environ = _ENVIRONMENT,
)

def _files_repository_impl(ctx):
    for label, path in ctx.attr.files.items():
        ctx.symlink(label, path)
    for path in ctx.attr.packages:
        ctx.file(path + "/BUILD.bazel" if path else "BUILD.bazel", ctx.attr.build_file_content)

files_repository = repository_rule(
    doc = "A repository made of files of ours and generated BUILD files.",
    implementation = _files_repository_impl,
    attrs = {
        "files": attr.label_keyed_string_dict(allow_files = True),
        "packages": attr.string_list(doc = "Folders that get a BUILD file.", default = [""]),
        "build_file_content": attr.string(),
    },
)
