import { secondsSince } from "../../../contract/age-text.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { fieldInOutputOption, fieldsInOutputOptions, type OutputOptions } from "../../../terminal/output-options.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { LiveValues, LiveWanted } from "./values.ts";

const LIVE_FIELDS = ["pending", "oldest"];

/** Returns the values that fields, conditions, or the sort need. The oldest transaction costs the node nothing. */
export function liveValuesNamed(output: OutputOptions): Pick<LiveWanted, "status" | "oldest"> {
  const fields = fieldsInOutputOptions(output);
  return { status: fields.has("pending"), oldest: fields.has("oldest") };
}

export function needsLiveValues(condition: string): boolean {
  return LIVE_FIELDS.some((field) => field === fieldInOutputOption(condition));
}

export function relayerListView(valuesNow: () => LiveValues | undefined = () => undefined): ResourceView<Relayer> {
  return {
    ...relayerView,
    fields: [...relayerView.fields, ...LIVE_FIELDS],
    derived: {
      ...relayerView.derived,
      pending: { value: ({ id }) => valuesNow()?.statuses.get(id)?.pending_transactions_count ?? null, reads: ["id"] },
      oldest: { value: ({ id }, now) => secondsSince(valuesNow()?.oldest.get(id), now), reads: ["id"], isAge: true },
    },
  };
}
