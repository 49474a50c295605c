import type { Relayer } from "../../../contract/relayer.ts";
import type { Session } from "../../../flow/session.ts";
import type { Call } from "../../command.ts";

/** The relayer as a person wants it, asked part by part. */
export async function editedByPrompts({ app }: Call, session: Session, relayer: Relayer): Promise<Relayer> {
  const prompts = await app.prompts();
  const choices = [
    { value: true, name: "paused" },
    { value: false, name: "active" },
  ];
  const paused = await session.pausing(prompts.select("state:", choices, { default: relayer.paused === true }));
  return { ...relayer, paused };
}
