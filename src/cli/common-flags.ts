import type { CommandSyntax } from "../commands/flags/syntax.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";
import { DEFAULT_DEADLINE, DEFAULT_RETRIES, DEFAULT_TIMEOUT, FOLLOW_DEADLINE, MOST_RETRIES } from "../timing.ts";
import { COLORS } from "./choices.ts";

/** Adds the common flags (promises 2.1). They are allowed anywhere on the line. */
export function addCommonFlags(program: CommandSyntax) {
  return program
    .optionsGroup("Output")
    .choice("-o, --output <format>", "Output format", OUTPUT_FORMATS)
    .option("--json", "Short for -o json")
    .option("--fields <list>", "Choose columns or fields, e.g. id,policies.min_balance")
    .option("--query <expr>", "Filter the whole result with a JMESPath expression")
    .option("--headers", "Print a header line in tsv and csv")
    .option("--no-headers", "Omit the header line")
    .choice("--color <when>", "When to use color", COLORS)
    .option("--no-pager", "Print a long table or help page straight to the terminal, not through a pager")
    .option("-q, --quiet", "Print less on stderr")
    .option(
      "-v, --verbose",
      "Print requests, responses, and their headers on stderr, without secrets; -vv prints bodies too",
      "times",
    )
    .optionsGroup("Connection")
    .option("-c, --context <name>", "Use a stored context, or several to read side by side, e.g. eu,us or 'prod-*'")
    .option("--server <url>", "URL of the service")
    .option("--token-file <file>", "Read the token from a file (`-` for stdin)")
    .option(
      "--header <line>",
      "Send one more header to the service, as 'Name: value', or the headers of a file, one per line, as @FILE (@- for stdin; repeatable)",
      "values",
    )
    .option("--demo", "Use the embedded server, inside this process")
    .option("--ca-file <file>", "Trust additional certificates from a file")
    .option("--cert <file>", "Client certificate for the service, in PEM or PKCS#12")
    .option("--key <file>", "Private key of --cert, in PEM")
    .option("--key-passphrase-file <file>", "Read the passphrase of the key from a file")
    .option("--proxy <url>", "Proxy URL, or none")
    .option("--allow-http", "Allow plain HTTP to other machines")
    .optionsGroup("Confirmation")
    .option("-y, --yes", "Skip the [y/N] confirmation")
    .option("--confirm <word>", "ID or protected context's name, if it must be typed to confirm")
    .option("--no-input", "Never prompt")
    .option("--reason <text>", "Why you make this change, for the journal")
    .option("-n, --dry-run", "Print the request and send nothing")
    .option("--curl", "Print the equivalent curl command and send nothing")
    .optionsGroup("Limits")
    .option("--timeout <time>", `Time limit for one attempt (default: ${DEFAULT_TIMEOUT / 1_000}s)`)
    .option(
      "--deadline <time>",
      `Time limit for the whole command (default: ${DEFAULT_DEADLINE / 60_000}m; ${FOLLOW_DEADLINE / 60_000}m for waits; none for lists and bulk changes); a write that was sent keeps its --timeout`,
    )
    .option(
      "--retries <n>",
      `Retries after failures that changed nothing (0–${MOST_RETRIES}; default: ${DEFAULT_RETRIES})`,
    )
    .optionsGroup("Help");
}
