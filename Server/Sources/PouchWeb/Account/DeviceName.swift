import Foundation

/// The names of a browser and its operating system, from `User-Agent`. They help an owner to recognise a session and
/// are not used for decisions.
struct DeviceName: Equatable {
    /// The name, such as “Firefox”; for another program, the first words of its `User-Agent`.
    let program: String
    let system: String?

    /// The browsers, in the order of the checks: most browsers also name those that they are derived from.
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
