# fish completion for relayctl, as printed by: relayctl completion fish
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
