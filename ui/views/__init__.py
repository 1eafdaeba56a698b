"""The page of several views: weights as they are learnt, and what fusing is worth."""
