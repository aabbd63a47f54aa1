/**
 * Command-line walls. Each was measured against every way out of a page that is known to work; see docs on hostile pages.
 * The resolver rule stops all that starts with an address or a name, QUIC and TURN over TCP included; what remains is WebRTC over UDP to bare addresses.
 */
export const RESOLVER_WALL = '--host-resolver-rules=MAP * ~NOTFOUND'

/** Two names of one policy: the first is obeyed by headless shells only, the second by full Chromium only. Neither can be dropped. */
export const WEBRTC_WALLS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const

/** Second wall behind the resolver rule: a proxy where nobody listens, loopback included. A flag that Chromium drops one day must not open the door alone. */
export const DEAD_PROXY = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' } as const

/**
 * Playwright's own list is repeated (the last --disable-features wins); added are the hidden windows of full Chromium's address bar (40 % of a trial's
 * cost), and process isolation of sandboxed frames, so that every frame of a page is in reach of one DevTools session.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'IsolateSandboxedIframes',
  'OriginKeyedProcessesByDefault',
  'Translate',
  'AutofillServerCommunication',
  'FedCm',
  // Its responder joins a multicast group: packets that a page can make leave, where no address is told to it anyway.
  'WebRtcHideLocalIpsWithMdns',
]

/** Playwright lets a page flood the browser's own process (5,000 history entries hold up every other page for 10 s); Chromium's brake stays on. */
export const REFUSED_DEFAULTS = ['--disable-ipc-flooding-protection']

/** Arguments that are not walls: what makes rendering cheap, alike on every machine, and quiet. */
export const RENDERING_ARGUMENTS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--disable-site-isolation-trials',
  '--deny-permission-prompts',
  '--disable-gpu',
  '--mute-audio',
  '--hide-scrollbars',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--no-pings',
  '--js-flags=--max-old-space-size=1024',
] as const
