import Foundation

/// The names of a browser and of its system, from what it says in `User-Agent`. They help an owner to recognise a session,
/// and nothing is decided by them.
struct DeviceName: Equatable {
    /// Such as “Firefox”; of another program its own first words.
    let program: String
    let system: String?

    /// In the order in which they are tried: most browsers also name those that they descend from.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
        ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    init(_ userAgent: String) {
        guard userAgent.hasPrefix("Mozilla/"),
            let browser = Self.browsers.first(where: { userAgent.contains($0.0) })
        else {
            program = String(userAgent.prefix(60))
            system = nil
            return
        }
        program = browser.1
        system = Self.systems.first { userAgent.contains($0.0) }?.1
    }
}
