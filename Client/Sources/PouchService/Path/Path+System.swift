import PouchWire

extension Path {
    public enum System: Sendable, Hashable {
        case healthLive
        case healthReady
        /// A file of the shop; the answer may be any bytes.
        case asset(path: String)

        var target: Target {
            switch self {
            case .healthLive: Target(.healthLive)
            case .healthReady: Target(.healthReady)
            case .asset(let path): Target(.asset, ["path": path])
            }
        }
    }
}
