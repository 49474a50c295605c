import { ageText } from "../../contract/age-text.ts";
import type { JsonObject } from "../../contract/json.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { visible } from "../../terminal/escape.ts";
import type { Style } from "../../terminal/style.ts";
import type { TableColumn } from "../../terminal/view.ts";
import { padded } from "../../terminal/width.ts";
import { listedTransactions } from "../../views/transaction/list.ts";
import { layoutOf } from "./layout.ts";
import { type Page, seenRelayer, type TopState } from "./state.ts";
import { tableLines } from "./table-lines.ts";

/** Returns the lines of an open page, at most as many as have room. */
export function pageLines(state: TopState, page: Page, style: Style): string[] {
  if (page.kind === "keys") return HELP.map(([keys, text]) => `  ${padded(keys, KEY_WIDTH)}${style.faint(text)}`);
  const { relayerId, transactionId } = page.target;
  const title = [transactionId, relayerId].flatMap((text) => (text === undefined ? [] : visible(text))).join(" · ");
  if (page.kind === "transaction") {
    const lines = page.lines ?? [LOADING];
    return [style.strong(title), ...lines.slice(page.offset, page.offset + layoutOf(state).room)];
  }
  const details = page.details ?? ["", LOADING];
  const { room } = layoutOf(state);
  const below = details.slice(0, Math.max(0, Math.floor(room / 2)));
  return [style.strong(title), ...transactionLines(state, page, room - below.length - 1, style), "", ...below];
}

const LOADING = "  reading…";
const KEY_WIDTH = 14;

const HELP = [
  ["↑ ↓ j k", "move the selection, or scroll"],
  ["enter", "open the relayer, and then the transaction"],
  ["/", "filter: words match IDs, names, and networks; FIELD=VALUE and the like as in --where"],
  ["s", "sort by the next field"],
  ["u", "relayctl relayers unstick"],
  ["b", "relayctl tx bump"],
  ["p  r", "relayctl relayers pause, resume"],
  ["d", "relayctl doctor"],
  ["w", "open the page in the network's explorer"],
  ["q  Esc", "go back, and quit from the list"],
  ["Ctrl-C", "quit"],
] as const;

/** Returns the transactions of a relayer that have room around the selected one. */
function transactionLines(
  state: TopState,
  { target, transactions, selected }: Extract<Page, { kind: "relayer" }>,
  room: number,
  style: Style,
): string[] {
  if (!transactions) return ["", LOADING];
  if (transactions.length === 0) return ["", "  no transactions"];
  const { relayer, symbol } = seenRelayer(state, target);
  const kind = relayer ? networkKind(relayer) : "evm";
  const { resource, add } = listedTransactions({ placeOf: () => ({ symbol, kind }), now: state.now, isTerminal: true });
  add(transactions);
  const index = Math.max(
    0,
    transactions.findIndex(({ id }) => id === selected),
  );
  const start = Math.max(0, Math.min(index - Math.floor(room / 2), transactions.length - room + 1));
  const items = transactions.slice(start, start + Math.max(1, room - 1));
  const columns = (resource.table as TableColumn<JsonObject>[]).map((column) => withAge(column, state.now));
  const signs = items.map((item) => resource.sign?.(item) ?? { sign: "note" as const });
  return tableLines({ items, columns, signs }, state.columns, style).map(({ text, plain }, row) =>
    row === index - start + 1 ? style.inverse(padded(plain, state.columns)) : text,
  );
}

function withAge(column: TableColumn<JsonObject>, now: number): TableColumn<JsonObject> {
  return {
    ...column,
    cell(item) {
      const drawn = column.cell(item);
      return drawn.time === undefined ? drawn : { ...drawn, text: ageText(now - drawn.time) };
    },
  };
}
