/** Uses `COMP_LINE` instead of `COMP_WORDS`: bash splits words at `=` and `:`. Versions before 4 have no `compopt`. */
export const bashScript = String.raw`# bash completion for relayctl, as printed by: relayctl completion bash
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
