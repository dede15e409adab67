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

/// Lends a book. The answer is false if it is already lent.
struct Lend: Message {
    typealias Answer = Bool
    let title: String
}

struct OpenBook: Message {
    let title: String
}

@MainActor
final class ShelfScreen: Screen {
    weak var coordinatingResponder: (any Responder)?

    func titleWasPressed(_ title: String) async throws {
        try await send(OpenBook(title: title))
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
            let isLent = try await send(Lend(title: title))
            text = isLent ? "Enjoy it." : "This book is lent."
        } catch {
            text = "Something went wrong."
        }
    }
}

final class BookCoordinator: NavigationCoordinator<Library> {
    private let title: String

    init(_ title: String, on stack: ScreenStack) {
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

    override func registerHandlers() {
        super.registerHandlers()
        handle(OpenBook.self) { $0.openBook($1) }
        handle(Lend.self) { try await $0.lend($1) }
    }

    private func openBook(_ message: OpenBook) {
        start(BookCoordinator(message.title, on: stack.present()))
    }

    private func lend(_ message: Lend) async throws -> Bool {
        let shelf = try needed(\.shelf)
        return await shelf.lend(message.title)
    }
}

@MainActor
func openLibrary(on surface: any NavigationSurface) -> LibraryCoordinator {
    let library = LibraryCoordinator(on: ScreenStack(on: surface))
    library.start()
    return library
}
