import type { CompletionShell } from "./shells.ts";

/** Uses `COMP_LINE` instead of `COMP_WORDS`: bash splits words at `=` and `:`. Versions before 4 have no `compopt`. */
const bashScript = String.raw`# bash completion for relayctl, as printed by: relayctl completion bash
_relayctl() {
    local line kind=
    COMPREPLY=()
    compopt +o default 2>/dev/null
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <(relayctl __complete bash "$COMP_TYPE" "${"$"}{COLUMNS-80}" "$COMP_WORDBREAKS" -- \
        "${"$"}{COMP_LINE:0:COMP_POINT}" </dev/null 2>/dev/null)
    case $kind in
        files) compopt -o default 2>/dev/null ;;
        open) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -o default -F _relayctl relayctl
`;

/**
 * Shows one word per line with its summary, which `_describe` would merge with equal summaries, cut at the terminal's
 * width. It works from a folder in `fpath`, where zsh calls it to define itself, and when it is sourced at the start of
 * a shell.
 */
const zshScript = `#compdef relayctl
# zsh completion for relayctl, as printed by: relayctl completion zsh
_relayctl() {
    local -a before lines names shown expl
    before=("${"$"}{(@Q)words[2,CURRENT-1]}")
    (( CURRENT == 2 )) && before=()
    lines=("${"$"}{(@f)$(relayctl __complete zsh $#before -- "${"$"}{before[@]}" "${"$"}{(Q)PREFIX}" </dev/null 2>/dev/null)}")
    local kind=$lines[1] line name summary
    local -i width=0 room
    shift lines
    if [[ $kind == files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P 1 '*='
        _files
        return
    fi
    names=("${"$"}{(@)lines%%$'\\t'*}")
    for name in $names; do (( $#name > width )) && width=$#name; done
    room=$(( COLUMNS - width - 5 ))
    for line in $lines; do
        name=${"$"}{line%%$'\\t'*}
        summary=${"$"}{line#*$'\\t'}
        if [[ $line == *$'\\t'* ]] && (( room > 7 )); then
            shown+=("${"$"}{(r:width:)name}  -- $summary[1,room]")
        else
            shown+=("$name")
        fi
    done
    local -a how
    [[ $kind == open ]] && how=(-S '')
    [[ "$lines" == *$'\\t'* ]] && how+=(-l)
    _wanted -V relayctl expl relayctl compadd "${"$"}{how[@]}" -d shown -a names
}
if [[ ${"$"}{funcstack[1]-} == _relayctl ]]; then
    _relayctl "$@"
else
    compdef _relayctl relayctl
fi
`;

const fishScript = String.raw`# fish completion for relayctl, as printed by: relayctl completion fish
function __relayctl_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l lines (relayctl __complete fish (count $before) -- $before $current </dev/null 2>/dev/null)
    switch "$lines[1]"
        case files
            set -l flag (string match -r '^--[^=]*=' -- "$current")
            for path in (__fish_complete_path (string replace -- "$flag" '' "$current"))
                printf "%s\n" "$flag$path"
            end
        case words open
            set -e lines[1]
            printf '%s\n' $lines
    end
end
complete -c relayctl -f -a '(__relayctl_complete)'
`;

/**
 * PowerShell drops empty arguments, so the script passes the number of words. In `id,na`, PowerShell replaces only the
 * last part. An empty text keeps it from offering files. A program that npm starts with a PowerShell script would lose
 * a bare `--`.
 */
const powershellScript = `# PowerShell completion for relayctl, as printed by: relayctl completion powershell
Register-ArgumentCompleter -Native -CommandName relayctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @()
    $current = ''
    foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
        $text = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.Extent.Text }
        if ($element.Extent.EndOffset -lt $cursorPosition) { $before += $text }
        elseif ($element.Extent.StartOffset -lt $cursorPosition) { $current = $text }
    }
    $cut = [Math]::Max(0, $current.Length - $wordToComplete.Trim("'", '"').Length)
    $words = $before + @($current | Where-Object { $_ })
    $lines = @(relayctl __complete powershell $before.Count $cut '--' @words 2>$null)
    if ($lines[0] -eq 'files') { return }
    if ($lines.Count -lt 2) { return '' }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $text, $shown, $tooltip = $_ -split ${'"`t"'}
        [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $tooltip)
    }
}
`;

export const SETUPS: Record<CompletionShell, { script: string; line: string; where: string }> = {
  bash: {
    script: bashScript,
    line: 'eval "$(relayctl completion bash)"',
    where: "~/.bashrc",
  },
  zsh: {
    script: zshScript,
    line: 'eval "$(relayctl completion zsh)"',
    where: "~/.zshrc, after compinit",
  },
  fish: {
    script: fishScript,
    line: "relayctl completion fish | source",
    where: "~/.config/fish/config.fish",
  },
  powershell: {
    script: powershellScript,
    line: "relayctl completion powershell | Out-String | Invoke-Expression",
    where: "your $PROFILE file",
  },
};
