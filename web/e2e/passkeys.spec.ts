/** A guest keeps a name with a passkey; a session alone changes no way into the account. */

import { randomUUID } from "node:crypto";
import { expect, test, type Page } from "./test";

/** A virtual authenticator of one page, as the developer tools of the browser offer it. */
class Keyring {
  private constructor(
    private readonly tell: (method: string, more: object) => Promise<{ credentials: object[] }>,
    private readonly id: string,
  ) {}

  static async of(page: Page): Promise<Keyring> {
    const tools = await page.context().newCDPSession(page);
    await tools.send("WebAuthn.enable");
    const { authenticatorId } = await tools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Keyring((method, more) => tools.send(method as never, more as never), authenticatorId);
  }

  /** Copy its passkeys to another one, as people's devices do. */
  async shareWith(other: Keyring): Promise<void> {
    const { credentials } = await this.tell("WebAuthn.getCredentials", { authenticatorId: this.id });
    for (const credential of credentials)
      await other.tell("WebAuthn.addCredential", { authenticatorId: other.id, credential });
  }
}

test("a name is kept with a passkey, and new codes are only for who shows it", async ({ arrive }) => {
  const name = `Keeper ${randomUUID().slice(0, 8)}`;
  const [laptop, phone] = [await arrive(name), await arrive("Nobody yet")];
  const here = await laptop.open("/account");
  const keys = await Keyring.of(here);
  await here.getByRole("button", { name: "Keep it with a passkey" }).click();
  await expect(here.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await here.getByRole("button", { name: "Show a code" }).click();
  const code = await here.getByText(/^[A-Z]{4}-[A-Z]{4}$/).innerText();

  const there = await phone.open(`/sign-in#${code}`);
  await there.getByRole("button", { name: "Sign in", exact: true }).first().click();
  await expect(there.getByRole("region", { name: "Messages" }).getByText(name)).toBeVisible();
  const account = await phone.open("/account");
  const ring = await Keyring.of(account);
  await makeCodes(account);
  await expect(account.getByRole("main").getByText(/^First confirm that it is you/)).toBeVisible();

  await keys.shareWith(ring);
  await makeCodes(account);
  await expect(account.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await expect(account.getByRole("main").getByText(/^First confirm that it is you/)).toHaveCount(0);
});

async function makeCodes(page: Page): Promise<void> {
  // The first press asks, the second does it.
  for (let press = 0; press < 2; press++) await page.getByRole("button", { name: "Make new codes" }).click();
}
