"""Completions for bash, zsh and fish."""

# Arguments whose words the program itself lists, and how.
LISTED = {"RULE": "ggufgate rules 2>/dev/null | awk '{ print $1 }'",
          "TENSOR": "", "NAME": "", "COMMAND": ""}


def is_file(word):
    return word.startswith(("FILE", "PATH", "MODEL", "SEED", "DIR", "FOLDER", "MANIFEST"))


def short_words(page):
    """The case label of a page in the shells: "check", "policy_check"; "" for the top."""
    return "_".join(page.name.split()[1:])


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


# --- bash -----------------------------------------------------------------------------------------

BASH_HEAD = """# bash completion for ggufgate

_ggufgate() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= i
  COMPREPLY=()
  # Words after the dashes of `run` belong to another command.
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      compopt -o default
      return
    fi
    case $command/${COMP_WORDS[i]} in
"""


def bash(top):
    out = [BASH_HEAD]
    for page in top.all():
        for command in page.commands:
            out.append(f"      {short_words(page)}/{command.name.split()[-1]}) "
                       f"command={short_words(command)} ;;\n")
    out.append("    esac\n  done\n  case $command:$before in\n")
    for page in top.all():
        for one in page.options:
            if one.is_argument or not one.value:
                continue
            label = " | ".join(f"{short_words(page)}:{name}" for name in one.names)
            out.append(f"    {label})\n      {bash_value(one)}\n      return ;;\n")
    out.append("  esac\n  local words= listed=\n  case $command in\n")
    for page in top.all():
        words = [name for one in page.options if not one.is_argument for name in one.names]
        words += [command.name.split()[-1] for command in page.commands]
        listed = next((LISTED[one.names[0]] for one in page.options
                       if one.is_argument and LISTED.get(one.names[0])), "")
        out.append(f"    {quoted(short_words(page))})\n      words={quoted(' '.join(words))}")
        out.append(f"\n      listed=$({listed}) ;;\n" if listed else " ;;\n")
    out.append("""  esac
  if [[ $word == -* || -n $listed || -z $command || $command == policy ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words $listed" -- "$word")
  fi
  ((${#COMPREPLY[@]})) || compopt -o default
}
complete -F _ggufgate ggufgate
""")
    return "".join(out)


def bash_value(one):
    if one.choices:
        return f"mapfile -t COMPREPLY < <(compgen -W {quoted(' '.join(one.choices))} -- \"$word\")"
    return "compopt -o default" if is_file(one.value) else ":"


# --- zsh ------------------------------------------------------------------------------------------

def zsh(top):
    out = ["#compdef ggufgate\n"]
    for page in top.all():
        out.append(f"\n_ggufgate{zsh_name(page)}() {{\n")
        out += zsh_commands(page) if page.commands else zsh_arguments(page)
        out.append("}\n")
    out.append('\n_ggufgate "$@"\n')
    return "".join(out)


def zsh_name(page):
    return "".join("_" + word for word in page.name.split()[1:])


def zsh_text(text):
    return text.replace("[", "(").replace("]", ")").replace(":", "\\:")


def zsh_specs(page):
    for one in page.options:
        if one.is_argument:
            continue
        action = f":{zsh_text(one.value)}:{zsh_action(one, one.value)}" if one.value else ""
        for name in one.names:
            others = "(" + " ".join(one.names) + ")"
            yield quoted(f"{others}{name}[{zsh_text(one.summary)}]{action}")


def zsh_action(one, word):
    if one.choices:
        return "(" + " ".join(one.choices) + ")"
    if is_file(word):
        return "_files"
    return "( )"


def zsh_arguments(page):
    specs = list(zsh_specs(page))
    arguments = [one.names[0] for one in page.options if one.is_argument]
    if arguments and LISTED.get(arguments[0]):
        specs.append(quoted(f"1:{arguments[0]}:($({LISTED[arguments[0]]}))"))
    elif "COMMAND" in arguments:  # of `run`: a command of somebody else behind the dashes
        specs += ["'1:MODEL:_files'", "'*::COMMAND:_normal'"]
    elif arguments:
        specs.append("'*:FILE:_files'")
    return ["  _arguments -s -S " + " \\\n    ".join(specs) + "\n"]


def zsh_commands(page):
    out = ["  local line state\n  _arguments -C " + " \\\n    ".join(
        [*zsh_specs(page), "'1:command:->command'", "'*::argument:->argument'"]) + "\n",
        "  case $state in\n    command)\n      local -a commands=(\n"]
    for command in page.commands:
        out.append(f"        {quoted(command.name.split()[-1] + ':' + zsh_text(command.summary))}\n")
    out.append("      )\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n")
    for command in page.commands:
        out.append(f"        {command.name.split()[-1]}) _ggufgate{zsh_name(command)} ;;\n")
    out.append("      esac ;;\n  esac\n")
    return out


# --- fish -----------------------------------------------------------------------------------------

def fish(top):
    names = " ".join(command.name.split()[-1] for command in top.commands)
    out = ["# fish completion for ggufgate\n\n"]
    for page in top.all():
        words = page.name.split()[1:]
        inside = " && ".join(f"__fish_seen_subcommand_from {word}" for word in words)
        if not words:
            inside = f"not __fish_seen_subcommand_from {names}"
        for command in page.commands:
            below = " ".join(one.name.split()[-1] for one in page.commands)
            condition = inside if not words else f"{inside} && not __fish_seen_subcommand_from {below}"
            out.append(f"complete -c ggufgate -n {quoted(condition)} -f "
                       f"-a {command.name.split()[-1]} -d {quoted(command.summary)}\n")
        for one in page.options:
            out += fish_option(one, inside)
    return "".join(out)


def fish_option(one, inside):
    if one.is_argument:
        listed = LISTED.get(one.names[0])
        return [f"complete -c ggufgate -n {quoted(inside)} -f -a {quoted('(' + listed + ')')}\n"] if listed else []
    names = "".join(f" -{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in one.names)
    value = ""
    if one.choices:
        value = f" -x -a {quoted(' '.join(one.choices))}"
    elif one.value:
        value = " -r" if is_file(one.value) else " -x"
    return [f"complete -c ggufgate -n {quoted(inside)}{names}{value} -d {quoted(one.summary)}\n"]
