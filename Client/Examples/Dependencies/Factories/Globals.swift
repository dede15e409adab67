import KooberKit
import KooberOnboarding

// Factories keep nothing, so what lives longer than one call has no other place.

let globalUserSessionRepository: any UserSessionRepository = KooberObjectFactories().makeUserSessionRepository()

@MainActor
let globalMainViewModel = KooberObjectFactories().makeMainViewModel()
