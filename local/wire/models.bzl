"""AWS's models as tables of a program."""

def compiled_model(name):
    """Generates NAME_model.cc, which defines the model's variable of models.h: kNameModel.

    Args:
      name: of a file in third_party/models, without ".json".
    """
    native.genrule(
        name = name + "_model",
        srcs = ["//third_party/models:%s.json" % name],
        outs = [name + "_model.cc"],
        cmd = "$(execpath :compile_model) $< k%sModel > $@" % name.capitalize(),
        tools = [":compile_model"],
    )
