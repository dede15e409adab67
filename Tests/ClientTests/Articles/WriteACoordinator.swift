import PouchCoordination

/// The services of a library. A service that is nil does not exist yet.
struct Library: Sendable {
    var shelf: Shelf?
}

actor Shelf {
    private var lent: Set<String> = []

    /// - Returns: false for a book that is already lent.
    func lend(_ title: String) -> Bool { lent.insert(title).inserted }
}

@MainActor
protocol LendingMessages {
    func lend(_ title: String) async throws -> Bool
}

@MainActor
protocol BrowsingMessages {
    func openBook(_ title: String) async throws
}

extension Responder {
    func lend(_ title: String, fileID: String = #fileID, line: Int = #line) async throws -> Bool {
        try await send(to: (any LendingMessages).self, fileID: fileID, line: line) { try await $0.lend(title) }
    }

    func openBook(_ title: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any BrowsingMessages).self, fileID: fileID, line: line) { try await $0.openBook(title) }
    }
}

extension LendingMessages where Self: Responder {
    func lend(_ title: String) async throws -> Bool { try await above.lend(title) }
}

@MainActor
final class ShelfScreen: Screen {
    weak var coordinatingResponder: (any Responder)?

    func titleWasPressed(_ title: String) async throws {
        try await openBook(title)
    }
}

@MainActor
final class BookScreen: Screen {
    weak var coordinatingResponder: (any Responder)?
    let title: String
    private(set) var text = ""

    init(_ title: String) { self.title = title }

    func lendWasPressed() async {
        do {
            let isLent = try await lend(title)
            text = isLent ? "Enjoy it." : "This book is lent."
        } catch {
            text = "That did not work."
        }
    }
}

final class BookCoordinator: NavigationCoordinator<Library> {
    private let title: String

    init(_ title: String, on stack: NavigationStack) {
        self.title = title
        super.init(on: stack)
    }

    override func didStart() {
        show(BookScreen(title))
    }
}

final class LibraryCoordinator: NavigationCoordinator<Library> {
    override func didStart() {
        show(ShelfScreen())
    }
}

extension LibraryCoordinator: BrowsingMessages {
    func openBook(_ title: String) async throws {
        start(BookCoordinator(title, on: stack.present()))
    }
}

extension LibraryCoordinator: LendingMessages {
    func lend(_ title: String) async throws -> Bool {
        let shelf = try needed(\.shelf)
        return await shelf.lend(title)
    }
}

@MainActor
func openLibrary(on surface: any NavigationSurface) -> LibraryCoordinator {
    let library = LibraryCoordinator(on: NavigationStack(on: surface))
    library.start()
    return library
}
