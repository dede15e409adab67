import Foundation
import Testing

/// The figures of the page, counted in the code of the four ways.
struct DependencyFigureTests {
    @Test func `the table of the page matches the code`() throws {
        let page = try String(contentsOf: DependencyWay.folder.appending(component: "README.md"), encoding: .utf8)
        let figures = try DependencyWay.allCases.map { try Figures($0) }
        let rows: [(String, (Figures) -> Int)] = [
            ("Lines of code", \.lines),
            ("Places where an object of the graph is created", \.places),
            ("including those in a screen", \.placesInScreens),
            ("Types that are created in more than one place", \.repeated),
            ("Places to change when `SignInViewModel` needs one more object", { $0.places(of: "SignInViewModel") }),
            ("Places to change for another data store", { $0.places(of: "CodedUserSessionDataStore") }),
            ("Globals", \.globals),
            ("Optional dependencies", \.optionals),
            ("Parameters of factory methods", \.parameters),
        ]
        for (title, figure) in rows {
            let row = "| \(title) | " + figures.map { String(figure($0)) }.joined(separator: " | ") + " |"
            #expect(page.contains(row), "\(row)")
        }
    }

    @Test(arguments: DependencyWay.allCases)
    func `only on demand, the graph of the onboarding is written down twice`(_ way: DependencyWay) throws {
        let figures = try Figures(way)
        for type in Figures.graph {
            let isRepeated = way == .onDemand && Figures.onboarding.contains(type)
            // On demand, a screen of its own stands for this one, and is made in one place, too.
            #expect(figures.places(of: type) == (isRepeated ? 2 : 1), "\(type)")
        }
    }

    @Test func `outside of containers, nothing knows them and nothing is made`() throws {
        for way in [DependencyWay.singleContainer, .hierarchy] {
            let code = try way.code().values.flatMap { $0 }.joined(separator: "\n")
            // Only the root of the process and containers name one.
            let classes = code.components(separatedBy: "final class ").dropFirst()
            for text in classes where text.contains("Container") {
                let name = text.prefix { $0.isLetter }
                #expect(name == "AppDelegate" || name.hasSuffix("Container"), "\(name)")
            }
        }
        let screens = DependencyWay.folder.appending(path: "Dependencies/Onboarding")
        for name in try FileManager.default.contentsOfDirectory(atPath: screens.path) {
            let text = try String(contentsOf: screens.appending(component: name), encoding: .utf8)
            #expect(!text.contains("Container") && !text.contains("Factories"), "\(name)")
        }
    }

    @Test func `the root of the process is the same for one container and for a hierarchy`() throws {
        func delegate(_ way: DependencyWay) throws -> Substring? {
            let text = try way.files().values.joined()
            return text.firstMatch(of: /public final class AppDelegate \{\n(?:.*\n)*?\}\n/)?.output
        }
        let single = try #require(try delegate(.singleContainer))
        #expect(try delegate(.hierarchy) == single)
        #expect(try delegate(.factories) != single)
    }
}

private struct Figures {
    static let onboarding = ["Onboarding", "Welcome", "SignIn", "SignUp"].flatMap { [$0 + "ViewModel", $0 + "Screen"] }
    static let graph =
        onboarding + [
            "KooberUserSessionRepository", "CodedUserSessionDataStore", "UserSessionPropertyListCoder",
            "FakeAuthRemoteAPI", "MainViewModel", "MainScreen", "LaunchViewModel", "LaunchScreen", "ProfileViewModel",
            "ProfileScreen", "SignedInScreen",
        ]

    private let all: [String]
    private let screens: [String]

    init(_ way: DependencyWay) throws {
        let code = try way.code()
        all = code.values.flatMap { $0 }
        screens = code.filter { $0.key.hasSuffix("Screen.swift") }.values.flatMap { $0 }
    }

    var lines: Int { all.count }
    var places: Int { Self.graph.reduce(0) { $0 + places(of: $1) } }
    var placesInScreens: Int { Self.graph.reduce(0) { $0 + Self.places(of: $1, in: screens) } }
    var repeated: Int { Self.graph.count { places(of: $0) > 1 } }
    var globals: Int { all.count { $0.hasPrefix("let global") } }
    var optionals: Int { all.count { $0.contains("shared") && $0.hasSuffix("?") } }
    var parameters: Int {
        let methods = all.joined(separator: " ").matches(of: /func make\w+\(([^)]*)\)/)
        return methods.reduce(0) { $0 + $1.1.count { $0 == ":" } }
    }

    func places(of type: String) -> Int { Self.places(of: type, in: all) }

    /// Members, and methods whose name ends with the name of the type, do not count.
    private static func places(of type: String, in lines: [String]) -> Int {
        lines.flatMap { $0.components(separatedBy: type + "(").dropLast() }
            .count { $0.last.map { !$0.isLetter && $0 != "." } ?? true }
    }
}
