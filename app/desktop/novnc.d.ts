/** The part of noVNC's interface that is used here; the package brings no types. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, url: string, options?: { shared?: boolean; wsProtocols?: string[] })
    viewOnly: boolean
    scaleViewport: boolean
    resizeSession: boolean
    showDotCursor: boolean
    focusOnClick: boolean
    background: string
    disconnect(): void
    focus(options?: FocusOptions): void
    blur(): void
    sendCtrlAltDel(): void
  }
}
