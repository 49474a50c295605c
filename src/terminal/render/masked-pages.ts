import type { Secrets } from "../../contract/secret-fields.ts";
import type { Page } from "../view.ts";

/** Yields the pages of a list without secrets. The items of a response that contains none are not looked at. */
export async function* maskedPages(
  pages: AsyncIterable<Page>,
  { masked, mayOccurIn }: Pick<Secrets, "masked" | "mayOccurIn">,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    if (page.body.length > 0 && !mayOccurIn(page.body)) yield page;
    else
      yield Object.create(page, {
        items: { value: masked(page.items) },
        found: {},
        body: { value: masked(page.body) },
      });
  }
}
