/** The entrance: styles, then the shell, which fetches the page that the address names. */

import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./shell/App.svelte";
import { listenForFailures } from "./shell/failures";
import { listenToAddress } from "./shell/router.svelte";
import { startSettings } from "./shell/settings.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app");

listenForFailures();
listenToAddress();
void startSettings().then(() => mount(App, { target }));
