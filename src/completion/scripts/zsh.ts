/**
 * Works from a folder in `fpath`, where zsh calls it to define itself, and when it is sourced at the start of a shell.
 */
export const zshScript = `#compdef relayctl
# zsh completion for relayctl, as printed by: relayctl completion zsh
_relayctl() {
    local -a before lines
    before=("${"$"}{(@Q)words[2,CURRENT-1]}")
    (( CURRENT == 2 )) && before=()
    lines=("${"$"}{(@f)$(relayctl __complete zsh $#before -- "${"$"}{before[@]}" "${"$"}{(Q)PREFIX}" </dev/null 2>/dev/null)}")
    local kind=$lines[1]
    shift lines
    case $kind in
        files)
            [[ $PREFIX == --*=* ]] && compset -P 1 '*='
            _files
            ;;
        open) _describe relayctl lines -S '' ;;
        words) _describe relayctl lines ;;
    esac
}
if [[ ${"$"}{funcstack[1]-} == _relayctl ]]; then
    _relayctl "$@"
else
    compdef _relayctl relayctl
fi
`;
