"""Scripts as part of a program.

    embedded_script(
        name = "embedded_greeting",
        src = "greeting.js",
        function = "byoshin::local::greetings::GreetingScript",
    )

makes embedded_greeting.cc, which defines `absl::string_view GreetingScript()` with the script's text.
"""

def embedded_script(name, src, function):
    """Generates `name`.cc.

    Args:
      name: the name of the target.
      src: the script, whose text must not contain )~~~".
      function: the function to define, with its namespace.
    """
    namespace, _, short_name = function.rpartition("::")
    native.genrule(
        name = name,
        srcs = [src],
        outs = [name + ".cc"],
        cmd = "; ".join([
            "{ printf '#include \"absl/strings/string_view.h\"\\n\\n'",
            "printf 'namespace %s {\\n'" % namespace,
            "printf 'absl::string_view %s() {\\n'" % short_name,
            "printf '  static constexpr char kText[] = R\"~~~('",
            "cat $(location %s)" % src,
            "printf ')~~~\";\\n  return {kText, sizeof(kText) - 1};\\n}\\n}\\n'",
            "} > $@",
        ]),
    )
