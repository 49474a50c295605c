/**
 * PowerShell drops empty arguments, so the script passes the number of words before the cursor. In `id,na`, PowerShell
 * replaces only the last part. It offers files if it gets nothing, and an empty text prevents that. A bare `--` would
 * be lost on the way to a program that npm starts with a PowerShell script.
 */
export const powershellScript = `# PowerShell completion for relayctl, as printed by: relayctl completion powershell
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
