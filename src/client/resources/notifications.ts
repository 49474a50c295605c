import type {
  CreateNotificationRequest,
  Notification,
  UpdateNotificationRequest,
} from "../../contract/notification.ts";
import type { ApiResult } from "../answer.ts";
import { apiRequest } from "../ask.ts";
import { getNamed } from "../find.ts";
import type { Link } from "../link.ts";
import { NOTIFICATION } from "../look.ts";
import { type ListBounds, type ListPage, listPages } from "../walk.ts";
import { createNamed, type Gone, remove, write } from "../write.ts";

export interface NotificationsClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string, options?: { byRoute?: boolean }): Promise<ApiResult<Notification>>;
  /** Without an id the client makes one, so that a lost answer can be settled. */
  create(body: CreateNotificationRequest): Promise<ApiResult<Notification>>;
  update(id: string, patch: UpdateNotificationRequest): Promise<ApiResult<Notification>>;
  delete(id: string): Promise<Gone>;
}

export function notificationsClient(link: Link): NotificationsClient {
  const on = (id: string) => ({ notification_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("notifications.list"), bounds, link),
    get: (id, options) => getNamed(NOTIFICATION, id, link, options),
    create: (body) => createNamed("notifications.create", body, link),
    update: (id, patch) => write(apiRequest("notifications.update", on(id), patch), link),
    delete: (id) => remove(apiRequest("notifications.delete", on(id)), link),
  };
}
