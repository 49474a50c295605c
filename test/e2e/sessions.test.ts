import { expect, test } from "vitest";
import { EDIT_FLOWS } from "./edit-flows.ts";
import { record } from "./terminal/recording.ts";

/** `npm run sessions` writes them anew. */
test.each(Object.entries(EDIT_FLOWS))(
  "docs/sessions matches the current relayers edit of the kind %s",
  async (kind, flow) => {
    const { exitCode, text } = await record(`relayctl --demo relayers edit ${flow.id}`, flow.steps);
    expect(exitCode, text).toBe(0);
    await expect(text).toMatchFileSnapshot(`../../docs/sessions/relayers-edit-${kind}.txt`);
  },
);
