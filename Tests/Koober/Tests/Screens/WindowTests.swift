import KooberKit
import KooberScreens
import KooberTexts
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct WindowTests {
    private let window = Window()
    private let error = ErrorMessage(title: .signedOut, message: .tryAgain)

    @Test func `there is no screen before the first content, and then the parts of all views are one screen`() {
        window.updates.flush()
        #expect(window.screen == nil)
        window.show(.welcome)
        window.show(error: error)
        window.show(isOffline: true)
        window.show(profile: ProfileScreen(nil))
        #expect(window.screen == nil)
        window.updates.flush()
        #expect(
            window.screen
                == KooberScreen(
                    .welcome, profile: ProfileScreen(nil), error: ErrorNote(title: .signedOut, message: .tryAgain),
                    isOffline: true))
        window.show(.gettingUserLocation)
        window.show(error: nil)
        window.updates.flush()
        #expect(window.screen == KooberScreen(.gettingUserLocation, profile: ProfileScreen(nil), isOffline: true))
    }

    @Test func `a screen is published at the end of the turn, once all views have shown their parts`() async {
        var screens = window.screens().makeAsyncIterator()
        window.show(.launching)
        window.show(.welcome)
        window.show(isOffline: true)
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome, isOffline: true))
    }

    @Test func `a stream starts with the present screen, repeats none, and ends with the window`() async {
        var window: Window? = Window()
        window?.show(.welcome)
        window?.updates.flush()
        var early = window?.screens().makeAsyncIterator()
        #expect(await early?.next(isolation: #isolation) == KooberScreen(.welcome))
        window?.show(.welcome)
        window?.updates.flush()
        window?.show(.gettingUserLocation)
        window?.show(.welcome)
        window?.updates.flush()
        window?.show(.launching)
        window?.updates.flush()
        var late = window?.screens().makeAsyncIterator()
        window = nil
        #expect(await early?.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await early?.next(isolation: #isolation) == nil)
        #expect(await late?.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await late?.next(isolation: #isolation) == nil)
    }

    @Test func `an intention that the screen does not offer is refused, and reaches no view`() {
        var performed: [Intention] = []
        #expect(throws: UnofferedIntention(.goToSignIn, on: nil)) {
            try window.perform(.goToSignIn) { performed.append($0) }
        }
        window.show(.welcome)
        // The published screen counts, which the user sees.
        #expect(throws: UnofferedIntention(.goToSignIn, on: nil)) {
            try window.perform(.goToSignIn) { performed.append($0) }
        }
        window.updates.flush()
        #expect(throws: UnofferedIntention(.signOut, on: KooberScreen(.welcome))) {
            try window.perform(.signOut) { performed.append($0) }
        }
        #expect(performed.isEmpty)
    }

    @Test func `an intention is performed, and what follows is published at once`() throws {
        window.show(.welcome)
        window.updates.flush()
        try window.perform(.goToSignIn) { intention in
            #expect(intention == .goToSignIn)
            window.show(.signIn(FormScreen()))
            #expect(window.screen == KooberScreen(.welcome))
        }
        #expect(window.screen == KooberScreen(.signIn(FormScreen())))
    }

    @Test func `a replacement is shown instead of the views' screen, which goes on unseen`() {
        window.show(.welcome)
        window.updates.flush()
        window.showTemporarily(KooberScreen(.launching))
        #expect(window.screen == KooberScreen(.launching))
        window.show(.gettingUserLocation)
        window.updates.flush()
        #expect(window.screen == KooberScreen(.launching))
        window.showTemporarily(nil)
        #expect(window.screen == KooberScreen(.gettingUserLocation))
    }
}
