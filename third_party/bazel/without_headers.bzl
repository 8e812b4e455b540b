"""What a program links of a library, without the headers that the library was compiled with.

    without_headers(
        name = "server_code",
        library = ":server_implementation",
    )

    cc_library(
        name = "server",
        hdrs = ["server.h"],
        deps = [":server_code"],
    )

For a library whose own files alone include thousands of headers: whatever depends on it would have them all among its
inputs, and in the sandbox of each of its files.
"""

def _without_headers_impl(ctx):
    return [
        CcInfo(linking_context = ctx.attr.library[CcInfo].linking_context),
        coverage_common.instrumented_files_info(ctx, dependency_attributes = ["library"]),
    ]

without_headers = rule(
    implementation = _without_headers_impl,
    doc = "Stands for a library where its headers are not needed.",
    attrs = {"library": attr.label(mandatory = True, providers = [CcInfo])},
)
