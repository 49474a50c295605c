import type { Command } from "commander";
import { choiceOption } from "../commands/choice-option.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";
import { COLORS } from "./choices.ts";

/** Adds the flags that every command has (design 2). They are read wherever they stand on the line. */
export function addCommonFlags(program: Command): void {
  program
    .optionsGroup("Output")
    .addOption(choiceOption("-o, --output <format>", "how the result is written", OUTPUT_FORMATS))
    .option("--json", "short for -o json")
    .option("--fields <list>", "choose columns or members: id,policies.min_balance")
    .option("--query <expr>", "a JMESPath expression over the whole result")
    .option("--headers", "a header line in tsv and csv")
    .option("--no-headers", "none")
    .addOption(choiceOption("--color <when>", "when to colour", COLORS))
    .option("-q, --quiet", "say less on stderr")
    .option("-v, --verbose", "say more on stderr; secrets never")
    .optionsGroup("Where to")
    .option("-c, --context <name>", "a stored context")
    .option("--server <url>", "the service's URL")
    .option("--token-file <file>", "a file with the token; - reads stdin")
    .option("--demo", "the embedded server, inside this process")
    .option("--ca-file <file>", "certificates to trust besides the usual ones")
    .option("--proxy <url>", "a proxy, or none")
    .option("--allow-http", "plain http to another machine")
    .optionsGroup("Consent")
    .option("-y, --yes", "agree to what would be asked")
    .option("--confirm <word>", "the id or the protected context's name, where that must be typed")
    .option("--no-input", "never ask")
    .option("-n, --dry-run", "print the request and send nothing")
    .option("--curl", "print the equal curl command and send nothing")
    .optionsGroup("Limits")
    .option("--timeout <time>", "for one attempt: 30s")
    .option("--deadline <time>", "for the whole command: 2m")
    .option("--retries <n>", "extra attempts after failures that changed nothing: 2")
    .optionsGroup("Help");
}
