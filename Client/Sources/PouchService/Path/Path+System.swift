import PouchWire

extension Path {
    public enum System: Sendable, Hashable {
        case healthLive
        case healthReady
        /// The description of the interface, OpenAPI 3.1.
        case openAPI
        /// A file of the shop; the answer may be any bytes.
        case asset(path: String)

        var target: Target {
            switch self {
            case .healthLive: Target(.healthLive)
            case .healthReady: Target(.healthReady)
            case .openAPI: Target(.openAPI)
            case .asset(let path): Target(.asset, ["path": path])
            }
        }
    }
}
