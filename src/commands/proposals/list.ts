import { storedList } from "../../command-support/printing.ts";
import { listProposals } from "../../proposals/proposal.ts";
import { proposalItem, proposalView } from "../../views/proposal.ts";
import { createCommand } from "../command.ts";
import { defineChoosingFlags } from "../list-flags.ts";

export const proposalsList = createCommand({
  summary: "List the proposals of this machine, newest first",
  sends: "nothing",
  examples: [
    "relayctl proposals list",
    "relayctl proposals list --where state=open",
    "relayctl proposals list -o json",
  ],
  resource: proposalView,
  description:
    "List the proposals that were made on this machine, newest first: open ones can be approved, used ones were sent once or are being sent, and expired ones can no longer be sent.",
  define: (command) => command.optionsGroup("List").include(defineChoosingFlags, "state=open, context=prod"),
  async run({ app, say }) {
    const now = app.clock.now();
    const all = await listProposals(app, async ({ message }) => await say({ warning: message }));
    const items = all.map(({ proposal, signatures, used }) =>
      proposalItem(proposal, { signatures: signatures.length, used, now }),
    );
    return storedList(proposalView, items, "the state folder");
  },
});
