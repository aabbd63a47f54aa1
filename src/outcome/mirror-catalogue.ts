/** One npm package that answers for CDN addresses. */
export interface MirroredPackage {
  /** Package whose files answer, in `node_modules` of a checkout and in the `mirror` folder beside the built program. */
  readonly from: string
  /** Names by which CDNs know it, lower case: npm name, cdnjs name. */
  readonly names: readonly string[]
  /** Major versions that this one can stand for. A request that names none gets it too. */
  readonly majors: readonly string[]
  /** Which file answers: the first whose pattern fits the path inside the package; an empty path is the CDN's default file. */
  readonly files: readonly { readonly pattern: RegExp; readonly file: string }[]
}

/**
 * Production builds answer for development builds: what a development build says on the console beside (missing keys, deprecated calls) is advice, not an error of the app.
 */
export const MIRRORED_PACKAGES: readonly MirroredPackage[] = [
  {
    from: '@tailwindcss/browser',
    names: ['@tailwindcss/browser', 'tailwindcss-browser'],
    majors: ['4'],
    files: [{ pattern: /^$|^dist\/index\.global(?:\.min)?\.js$|^index\.global(?:\.min)?\.js$/, file: 'dist/index.global.js' }],
  },
  {
    from: 'tailwindcss-cdn',
    names: ['tailwindcss-cdn'],
    majors: ['3'],
    files: [
      { pattern: /-with-/, file: 'tailwindcss-with-all-plugins.js' },
      { pattern: /^$|^tailwindcss\.js$/, file: 'tailwindcss.js' },
    ],
  },
  {
    from: 'chart.js',
    names: ['chart.js'],
    majors: ['3', '4'],
    files: [{ pattern: /^$|^(?:dist\/)?chart(?:\.umd)?(?:\.min)?\.js$/, file: 'dist/chart.umd.min.js' }],
  },
  { from: 'd3', names: ['d3'], majors: ['5', '6', '7'], files: [{ pattern: /^$|^(?:dist\/)?d3(?:\.min)?\.js$/, file: 'dist/d3.min.js' }] },
  {
    from: 'alpinejs',
    names: ['alpinejs', 'alpine'],
    majors: ['3'],
    files: [
      { pattern: /module\.esm(?:\.min)?\.js$/, file: 'dist/module.esm.min.js' },
      { pattern: /^$|^(?:dist\/)?cdn(?:\.min)?\.js$/, file: 'dist/cdn.min.js' },
    ],
  },
  {
    from: 'vue',
    names: ['vue'],
    majors: ['3'],
    files: [
      { pattern: /esm-browser(?:\.prod)?(?:\.min)?\.js$|^\+esm$/, file: 'dist/vue.esm-browser.prod.js' },
      { pattern: /^$|vue\.global(?:\.prod)?(?:\.min)?\.js$/, file: 'dist/vue.global.prod.js' },
    ],
  },
  {
    from: 'react',
    names: ['react'],
    majors: ['16', '17', '18'],
    files: [{ pattern: /^(?:umd\/)?react\.(?:production(?:\.min)?|development)\.js$/, file: 'umd/react.production.min.js' }],
  },
  {
    from: 'react-dom',
    names: ['react-dom'],
    majors: ['16', '17', '18'],
    files: [{ pattern: /^(?:umd\/)?react-dom\.(?:production(?:\.min)?|development)\.js$/, file: 'umd/react-dom.production.min.js' }],
  },
  {
    from: '@babel/standalone',
    names: ['@babel/standalone', 'babel-standalone'],
    majors: ['6', '7'],
    files: [{ pattern: /^$|^babel(?:\.min)?\.js$/, file: 'babel.min.js' }],
  },
]

/** A file of a mirrored package. */
export interface MirrorFile {
  readonly package: string
  readonly file: string
}

/** The file that answers for an address of a public CDN, or null when the mirror has none. Pure. */
export function mirrorFileFor(address: string): MirrorFile | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.hostname === 'cdn.tailwindcss.com') {
    if (!/^\/?(?:3(?:\.\d+){0,2})?\/?$/.test(url.pathname)) return null
    return { package: 'tailwindcss-cdn', file: url.searchParams.has('plugins') ? 'tailwindcss-with-all-plugins.js' : 'tailwindcss.js' }
  }
  const asked = url.hostname === 'd3js.org' ? readD3(url.pathname) : readCdnPath(url)
  if (asked === null) return null
  const entry = MIRRORED_PACKAGES.find(({ names }) => names.includes(asked.name))
  const major = /^[~^v=]*(\d+)/.exec(asked.version)?.[1]
  if (entry === undefined || (major !== undefined && !entry.majors.includes(major))) return null
  const file = entry.files.find(({ pattern }) => pattern.test(asked.path))?.file
  return file === undefined ? null : { package: entry.from, file }
}

interface AskedFile {
  readonly name: string
  /** As written in the address; empty or `latest` when none was named. */
  readonly version: string
  readonly path: string
}

function readD3(pathname: string): AskedFile | null {
  const match = /^\/d3\.v(\d+)(?:\.min)?\.js$/.exec(pathname)
  return match === null ? null : { name: 'd3', version: match[1] ?? '', path: '' }
}

function readCdnPath(url: URL): AskedFile | null {
  // Only "@" is ever escaped in such addresses; a path that is no valid escape must not throw.
  const path = url.pathname.replaceAll(/%40/gi, '@').replaceAll(/%2b/gi, '+')
  switch (url.hostname) {
    case 'cdn.jsdelivr.net':
    case 'fastly.jsdelivr.net':
      return path.startsWith('/npm/') ? readNpmPath(path.slice('/npm/'.length)) : null
    case 'unpkg.com':
    case 'www.unpkg.com':
      return readNpmPath(path.slice(1))
    case 'esm.sh':
    case 'cdn.skypack.dev':
    case 'esm.run': {
      const asked = readNpmPath(path.slice(1))
      return asked?.path === '' ? { ...asked, path: '+esm' } : asked
    }
    case 'cdnjs.cloudflare.com': {
      const match = /^\/ajax\/libs\/([^/]+)\/([^/]+)\/(.+)$/.exec(path)
      return match === null ? null : { name: (match[1] ?? '').toLowerCase(), version: match[2] ?? '', path: match[3] ?? '' }
    }
    default:
      return null
  }
}

function readNpmPath(path: string): AskedFile | null {
  const match = /^((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?(?:\/(.*))?$/.exec(path)
  return match === null ? null : { name: (match[1] ?? '').toLowerCase(), version: match[2] ?? '', path: match[3] ?? '' }
}
