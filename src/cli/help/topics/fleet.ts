import { helpSection, helpText, type Row, type TopicPage } from "../block.ts";

const IN_FILES: readonly Row[] = [
  { term: "80gwei, 0.5eth", text: "An amount with its unit; a bare number is in the smallest unit" },
  { term: "@treasury", text: "The address of a label, in the lists of addresses and tokens of a relayer's policies" },
  { term: `\${env:NAME}`, text: "The value of a variable, which must be set and not empty" },
  { term: `\${file:PATH}`, text: "The content of a file below the folder of the file that refers to it" },
  { term: `\${hidden:key}`, text: "A value that the service does not return, and that the file leaves out" },
];

const EQUAL: readonly Row[] = [
  { term: "defaults", text: "A default equals absence, and so do null and an empty object" },
  { term: "amounts", text: "Exact integers, in whatever unit or spelling" },
  { term: "lists", text: "The same entries in any order, except the strategies of swaps" },
  {
    term: "hidden values",
    text: "Signing keys, secrets of signers, and paths of RPC URLs: compared with what was last applied from here, by the journal; otherwise not compared and not sent",
  },
];

const SIGNS: readonly Row[] = [
  { term: "+", text: "To create" },
  { term: "~", text: "To change" },
  { term: "-", text: "To delete, with --prune" },
  { term: "✗", text: "Cannot be changed, e.g. the signer of a relayer: delete and create the resource" },
];

const COMMANDS: readonly Row[] = [
  { term: "export", text: "Writes the fleet to a file that equals the service" },
  { term: "plan -f FILE", text: "Shows the differences and the changes that end them; exits with 0 or 20" },
  { term: "apply -f FILE", text: "Shows the same, asks once, and makes the service equal to the files" },
  { term: "validate FILE", text: "Finds what is wrong or unfinished in the files, without a service" },
  { term: "drift -f FILE", text: "Prints differences, and nothing if there are none, for cron" },
];

export const fleetPage: TopicPage = () => [
  helpText(
    "Files describe a fleet: the service's own config.json, or YAML of the same shape, with networks as a list or a folder. " +
      "A member that a file leaves out is unset. A kind of resource that no file lists is not compared, and a resource " +
      "that is not in the files is left alone without --prune.",
  ),
  helpSection("In a file", IN_FILES),
  helpSection("What counts as equal", EQUAL),
  helpSection("In a plan", SIGNS),
  helpSection("Commands", COMMANDS),
];
