import { helpText, type TopicPage } from "../block.ts";
import { flagSections } from "../flag-sections.ts";

export const flagsPage: TopicPage = (program) => [
  helpText(
    "Commands take the flags that have an effect on them, and refuse the others: e.g. `relayctl version` has no --server. " +
      "An alias can contain these, which every command accepts: -h; --color and, except for `completion`, `auth token`, and " +
      "`webhooks sign`, -o and --json, which shape at least its errors; " +
      "--no-pager, at least for its help; -q, -v, --no-input, and -y, which change nothing where no note is printed, no " +
      "request is sent, or nothing is asked. Type flags before, within, or after the command's name.",
  ),
  { kind: "sections", sections: flagSections(program), apart: true },
  helpText(
    "A flag that takes one value is an error if it is given twice. Most flags have a variable: run `relayctl help environment`.",
  ),
  helpText(
    "A flag that takes its value from a file ends in -file. These flags read or write a file by another name: --abi, " +
      "--approvers, --cert, --config, --file, --identity, --instructions, --junit, --key, --key-out, --listen-cert, --listen-key, --operations, --out, --policies, --record, --report, --state.",
  ),
];
