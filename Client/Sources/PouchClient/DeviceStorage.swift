import Foundation
import PouchService

/// Where this device keeps what belongs to one server: one for each origin.
///
/// On Apple's systems that is the Keychain, Application Support and Caches; elsewhere the folders that the XDG Base
/// Directory Specification names. Nothing is made before something is kept.
public struct DeviceStorage: Sendable {
    /// The session: in the Keychain where there is one, else in a file that only its owner may read.
    public let sessionStore: any SessionStore
    /// The file for a session that is not kept in the Keychain.
    public let sessionFile: URL
    /// The file for a local store.
    public let database: URL
    /// The folder for what can be fetched again.
    public let cache: URL

    /// - Parameters:
    ///   - server: scheme, host and port count.
    ///   - application: the name of the folder that holds everything.
    ///   - environment: where XDG's variables are looked up.
    public init(
        server: URL, application: String = "pouch", environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.init(Self.name(server), application, environment)
    }

    /// For a LAYERS feed. Several may lie on one web server, so the path counts too.
    public init(
        feed: URL, application: String = "pouch", environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        let path = feed.path(percentEncoded: false).split(separator: "/").joined(separator: "/")
        self.init(Self.short("feed_" + Self.name(feed) + "_" + Self.component(path)), application, environment)
    }

    /// In a folder of one's own; what goes to the Keychain does so all the same.
    ///
    /// - Parameters:
    ///   - server: scheme, host and port count.
    ///   - application: the name of the service in the Keychain.
    ///   - folder: where all files are; what can be read anew is in a folder of it.
    public init(server: URL, application: String = "pouch", in folder: URL) {
        self.init(Self.name(server), application, state: folder, caches: folder.appending(component: "cache"))
    }

    private init(_ origin: String, _ application: String, _ environment: [String: String]) {
        #if canImport(Security)
            let (state, caches) = (URL.applicationSupportDirectory, URL.cachesDirectory)
        #else
            let state = Self.folder("XDG_STATE_HOME", ".local/state", environment)
            let caches = Self.folder("XDG_CACHE_HOME", ".cache", environment)
        #endif
        self.init(
            origin, application, state: state.appending(component: application),
            caches: caches.appending(component: application))
    }

    private init(_ origin: String, _ application: String, state: URL, caches: URL) {
        sessionFile = state.appending(component: origin + ".json")
        #if canImport(Security)
            sessionStore = KeychainSessionStore(service: application, account: origin)
        #else
            sessionStore = FileSessionStore(file: sessionFile)
        #endif
        database = state.appending(component: origin + ".sqlite")
        cache = caches.appending(component: origin)
    }

    /// Only absolute paths count.
    private static func folder(_ variable: String, _ standard: String, _ environment: [String: String]) -> URL {
        if let path = environment[variable], path.hasPrefix("/") { return URL(filePath: path) }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: standard)
    }

    private static func name(_ server: URL) -> String {
        let scheme = server.scheme?.lowercased() ?? ""
        let port = server.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)_\(component((server.host() ?? "").lowercased()))_\(port)"
    }

    /// A file's name has at most 255 bytes, of which some are left for endings. No component has a tilde, so that none looks
    /// like one that was cut. Not for a server: who knows the checksum could make a name to get another's session.
    private static func short(_ name: String) -> String {
        name.count <= 150 ? name : "\(name.prefix(150))~\(Checksum(name.utf8).text)"
    }

    /// A part of a file's name, another one for each text.
    private static func component(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: ".-"))) ?? ""
    }
}
