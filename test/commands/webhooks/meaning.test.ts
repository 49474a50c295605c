import { printedEventMeaning } from "../../../src/commands/webhooks/listen/printed-events.ts";

test.each([
  [{}, "event without a name"],
  [{ event: "" }, "event without a name"],
  [{ event: { odd: 1 } }, "event without a name"],
  [{ event: "a_new_event" }, "a_new_event"],
])("the event %j without a payload is called %s", (event, state) =>
  expect(printedEventMeaning(event, []).state).toBe(state),
);
