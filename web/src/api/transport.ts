/** Where a request goes: to the service, or to the engine on this device. */

/** Sends a request, as `fetch` does. */
export type Send = (path: string, asked: RequestInit) => Promise<Response>;

/** The first digit of the third group of an id tells who made it (RFC 9562, version 8). */
const ON_DEVICE = /^\/api\/tables\/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/;

/** Whether a table is played on this device, by its id. */
export function isOnDevice(table: string): boolean {
  return ON_DEVICE.test(`/api/tables/${table}`);
}

/** Send a request to the service or to the device, as its path says. */
export const send: Send = (path, asked) =>
  ON_DEVICE.test(path) ? toDevice()(path, asked) : fetch(path, asked);

/** Send to the device, in the name of the person who sits down; its code is loaded with the first request. */
export function toDevice(name?: string): Send {
  return async (path, asked) => {
    const { theDevice } = await import("../device/device");
    return theDevice().fetch(path, asked, name);
  };
}
